// A stage that waits for somebody outside.
#include <gtest/gtest.h>

#include "orchestrator/app/apps/verdict.h"
#include "orchestrator/roll/transition.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

class JudgedRoll : public ::testing::Test {
 protected:
  JudgedRoll() {
    maker.RunAll("v1");
    Stage stage{{1}, std::nullopt};
    stage.verdict_url = "https://user:secret@judge.example:8443/ask?token=secret";
    maker.strategy().stages = {stage, stage};
    maker.strategy().stages.back().instances = {2};
    maker.OpenRoll();
  }

  // Until it asks.
  VerdictQuestion RunOn() {
    for (int i = 0; i < 40; ++i) {
      const Plan plan = maker.PlanNow();
      if (plan.ask) return *plan.ask;
      HonestCells(maker);
      maker.Wait(seconds(6));
    }
    ADD_FAILURE() << "it asked nobody";
    return {};
  }
  Status Answer(const VerdictQuestion& question, Verdict verdict, const std::string& text = "because") {
    AppEdit edit(maker.app, maker.moment, "verdict");
    const Status status = DecideVerdict(edit, question, {verdict, text});
    (void)edit.Finish();
    return status;
  }
  Status Ask(RollEvent event) {
    AppEdit edit(maker.app, maker.moment, "test");
    const Status status = ApplyRollEvent(edit, event, "the test");
    (void)edit.Finish();
    return status;
  }
  RollState state() const { return maker.app.roll ? maker.app.roll->state : RollState::kCompleted; }

  AppMaker maker{4};
};

TEST_F(JudgedRoll, AsksAgainAndAgainAndShowsWhatItHeardWithoutSecrets) {
  const VerdictQuestion question = RunOn();
  EXPECT_EQ(question.stage, 1);
  EXPECT_EQ(question.updated, 1);
  EXPECT_EQ(question.target, DefinitionId("v2"));
  EXPECT_TRUE(Answer(question, Verdict::kWait, "no answer: connection refused").ok());
  const Plan plan = maker.PlanNow();
  ASSERT_TRUE(plan.ask) << "until there is a verdict";
  ASSERT_EQ(plan.reasons.front().rule, rule::kVerdict);
  EXPECT_NE(plan.reasons.front().text.find("https://judge.example:8443/ask: no answer: connection refused"),
            std::string::npos)
      << plan.reasons.front().text;
  EXPECT_EQ(state(), RollState::kPaused);
  maker.Wait(std::chrono::hours(100));
  maker.PlanNow();
  EXPECT_EQ(state(), RollState::kPaused) << "no answer is waited for";
}

TEST_F(JudgedRoll, APromotionPassesThisStageAndNoOther) {
  const VerdictQuestion first = RunOn();
  EXPECT_TRUE(Answer(first, Verdict::kPromote).ok());
  EXPECT_EQ(state(), RollState::kRolling);
  EXPECT_FALSE(Answer(first, Verdict::kPromote).ok()) << "nothing is asked any more";
  const VerdictQuestion second = RunOn();
  EXPECT_EQ(second.stage, 2);
  EXPECT_FALSE(Answer(first, Verdict::kFail).ok()) << "the first stage's verdict comes late";
  EXPECT_EQ(state(), RollState::kPaused);
  EXPECT_TRUE(maker.app.roll->condemned.empty());
}

TEST_F(JudgedRoll, AFailGoesByOnFailure) {
  EXPECT_TRUE(Answer(RunOn(), Verdict::kFail, "error rate 3 %").ok());
  maker.PlanNow();
  EXPECT_EQ(state(), RollState::kRollingBack);
  EXPECT_NE(maker.app.roll->reason.find("error rate 3 %"), std::string::npos) << maker.app.roll->reason;
}

TEST_F(JudgedRoll, AFailWhileItIsPausedByHandReactsWhenItIsResumedAndARetryOverridesIt) {
  maker.strategy().on_failure = OnFailure::kHold;
  const VerdictQuestion question = RunOn();
  ASSERT_TRUE(Ask(RollEvent::kPause).ok());
  EXPECT_TRUE(Answer(question, Verdict::kFail).ok());
  maker.PlanNow();
  EXPECT_EQ(state(), RollState::kPaused);
  ASSERT_TRUE(Ask(RollEvent::kResume).ok());
  maker.PlanNow();
  EXPECT_EQ(state(), RollState::kHeld);
  ASSERT_TRUE(Ask(RollEvent::kRetry).ok());
  maker.PlanNow();
  EXPECT_EQ(state(), RollState::kRolling) << "a person knows better";
}

TEST_F(JudgedRoll, SomebodyMayPromoteBeforeTheAnswer) {
  (void)RunOn();
  ASSERT_TRUE(Ask(RollEvent::kPromote).ok());
  EXPECT_EQ(state(), RollState::kRolling);
}

}  // namespace
}  // namespace baton
