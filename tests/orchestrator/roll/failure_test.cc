// Attempts that fail, and what the roll does about it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/roll/rules/backoff.h"
#include "tests/orchestrator/roll/app_maker.h"
#include "tests/orchestrator/roll/rolling.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

// Cells whose v2 instances are claimed and never become ready.
void NeverReady(AppMaker& maker) {
  std::vector<ActualId> gone;
  for (auto& [id, lrp] : maker.app.actuals) {
    if (lrp.state == LrpState::kUnclaimed) {
      AppMaker::Start(lrp, maker.moment.now);
      if (lrp.definition == DefinitionId("v2")) {
        AppMaker::MakeUnready(lrp);
      }
    }
    if (lrp.stop_ordered_at) gone.push_back(id);
  }
  for (const ActualId& id : gone) maker.app.actuals.erase(id);
}

TEST(FailedAttempt, ANewcomerThatIsNotReadyInItsTimeIsWithdrawn) {
  AppMaker maker = Rolling(2);
  maker.strategy().start_timeout = seconds(20);
  maker.PlanNow();
  NeverReady(maker);
  maker.Wait(seconds(24));
  maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kSurge), 1) << "the cell has its turn to say so first";
  maker.Wait(seconds(1));
  const Plan plan = maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kSurge), 0);
  EXPECT_EQ(maker.app.slot_logs.at(0).failed_attempts, 1);
  EXPECT_TRUE(maker.Explains(plan, rule::kBackOff));
  NeverReady(maker);  // the withdrawn one is gone
  maker.Wait(AttemptBackOff(1));
  maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kSurge), 1) << "made anew after the back-off";
}

// Simulation seed 526578: it was paused when its time was over already, and asked to be woken in the past.
TEST(FailedAttempt, AClockThatRunsAgainAndIsOverAlreadyIsFollowedInTheSamePass) {
  AppMaker maker = Rolling(2);
  maker.PlanNow();
  NeverReady(maker);
  maker.app.roll->clock_stopped_at = maker.moment.now - seconds(10);
  maker.app.roll->deadline = maker.moment.now - seconds(20);
  const Plan plan = maker.PlanNow();
  EXPECT_FALSE(maker.app.roll) << "it went back, and nothing was handed over yet";
  ASSERT_FALSE(maker.app.past_rolls.empty());
  EXPECT_EQ(maker.app.past_rolls.front().state, RollState::kRolledBack);
  EXPECT_GT(plan.wake_up_at.value_or(maker.moment.now + seconds(1)), maker.moment.now);
}

TEST(FailedAttempt, AfterMaxFailuresTheRollGoesBackToAProvenSource) {
  AppMaker maker = Rolling(2);
  maker.Run(NeverReady, seconds(10), 60);
  EXPECT_FALSE(maker.app.roll);
  ASSERT_FALSE(maker.app.past_rolls.empty());
  EXPECT_EQ(maker.app.past_rolls.front().state, RollState::kRolledBack);
  EXPECT_TRUE(maker.app.past_rolls.front().refused) << "a syncing controller must not loop";
  EXPECT_EQ(maker.ReadyOf("v1"), 2);
}

TEST(FailedAttempt, WithAnUnprovenSourceItIsHeld) {
  AppMaker maker = Rolling(2);
  maker.app.definitions.at({1, DefinitionId("v1")}).proven_at.reset();
  maker.Run(NeverReady, seconds(10), 60);
  ASSERT_TRUE(maker.app.roll);
  EXPECT_EQ(maker.app.roll->state, RollState::kHeld);
}

TEST(FailedAttempt, HoldHoldsAndNewcomersAreWithdrawn) {
  AppMaker maker = Rolling(2);
  maker.strategy().on_failure = OnFailure::kHold;
  maker.Run(NeverReady, seconds(10), 60);
  ASSERT_TRUE(maker.app.roll);
  EXPECT_EQ(maker.app.roll->state, RollState::kHeld);
  EXPECT_EQ(maker.Count(Presence::kSurge), 0);
  EXPECT_EQ(maker.ReadyOf("v1"), 2);
}

// Newcomers become ready in this slot and those behind it.
auto OnlyFrom(int index) {
  return [index](AppMaker& m) {
    for (auto& [id, lrp] : m.app.actuals) {
      if (lrp.index >= index && lrp.state == LrpState::kUnclaimed) AppMaker::Start(lrp, m.moment.now);
    }
    NeverReady(m);
  };
}

TEST(FailedAttempt, ContinueGivesTheSlotUpAndGoesOn) {
  AppMaker maker = Rolling(3);
  maker.strategy().on_failure = OnFailure::kContinue;
  maker.Run(OnlyFrom(1), seconds(10), 120);
  EXPECT_FALSE(maker.app.roll);
  ASSERT_FALSE(maker.app.past_rolls.empty());
  EXPECT_EQ(maker.app.past_rolls.front().state, RollState::kCompletedWithGaps);
  EXPECT_EQ(maker.ReadyOf("v2"), 2);
  EXPECT_EQ(maker.ReadyOf("v1"), 1);
}

TEST(FailedAttempt, OfManyThatAreGivenUpTenAreNamedAndTheOthersCounted) {
  AppMaker maker = AppMaker::Settled(12);
  maker.strategy().on_failure = OnFailure::kContinue;
  maker.strategy().progress_deadline = std::chrono::hours(2);
  maker.OpenRoll();
  maker.Run(OnlyFrom(11), seconds(10), 1000);
  ASSERT_FALSE(maker.app.roll);
  const std::string& told = maker.steps.back().text;
  EXPECT_THAT(told, HasSubstr("given up: slot 0 ("));
  EXPECT_THAT(told, HasSubstr(", slot 9 ("));
  EXPECT_THAT(told, ::testing::EndsWith(", and 1 more"));
}

// The log shows a reason up to its first line's end: the second slot was missing in it.
TEST(FailedAttempt, EachSlotThatIsGivenUpIsNamedInOneLine) {
  AppMaker maker = Rolling(3);
  maker.strategy().on_failure = OnFailure::kContinue;
  maker.strategy().progress_deadline = std::chrono::hours(2);
  maker.Run(
      [](AppMaker& m) {
        std::vector<InstanceRef> started;
        for (auto& [id, lrp] : m.app.actuals) {
          if (lrp.index > 1 || lrp.definition != DefinitionId("v2") || lrp.state != LrpState::kUnclaimed) continue;
          AppMaker::Start(lrp, m.moment.now);
          started.push_back({id, lrp.instance_guid, lrp.cell_id});
        }
        AppEdit edit(m.app, m.moment, "test");
        for (const InstanceRef& one : started) ASSERT_TRUE(DecideCrash(edit, one, "it fell over\npassword=hunter2"));
        edit.Finish();
        OnlyFrom(2)(m);
      },
      seconds(10), 1000);
  ASSERT_FALSE(maker.app.roll);
  const std::string& reason = maker.steps.back().text;
  EXPECT_THAT(reason, HasSubstr("slot 0 ("));
  EXPECT_THAT(reason, HasSubstr("slot 1 ("));
  EXPECT_THAT(reason, ::testing::Not(HasSubstr("\n")));
}

TEST(FailedAttempt, TheProgressDeadlineReactsWhereAttemptsAreSlow) {
  AppMaker maker = Rolling(2);
  maker.strategy().start_timeout = std::chrono::hours(1);
  maker.app.roll->deadline = maker.moment.now + seconds(600);
  maker.PlanNow();
  NeverReady(maker);
  maker.PlanNow();  // the clock runs while something is being tried: from the claim on
  maker.Wait(seconds(599));
  maker.PlanNow();
  ASSERT_EQ(maker.app.roll->state, RollState::kRolling);
  maker.Wait(seconds(1));
  maker.PlanNow();
  EXPECT_TRUE(!maker.app.roll || maker.app.roll->state == RollState::kRollingBack);
}

TEST(FailedAttempt, NoRoomOnAnyCellIsNobodysFailedAttempt) {
  AppMaker maker = Rolling(2);
  const auto no_cell = [](AppMaker&) {};
  maker.Run(no_cell, seconds(100), 20);  // longer than the progress deadline
  ASSERT_TRUE(maker.app.roll);
  EXPECT_EQ(maker.app.roll->state, RollState::kRolling);
  EXPECT_TRUE(maker.app.slot_logs.empty() || maker.app.slot_logs[0].failed_attempts == 0);
  maker.Wait(maker.strategy().wait_deadline);
  maker.PlanNow();
  EXPECT_EQ(maker.app.roll->state, RollState::kHeld) << "wait_deadline";
}

TEST(BackOff, GrowsAndHasABound) {
  EXPECT_EQ(AttemptBackOff(0), Duration(0));
  EXPECT_EQ(AttemptBackOff(1), seconds(1));
  EXPECT_EQ(AttemptBackOff(3), seconds(4));
  EXPECT_EQ(AttemptBackOff(1000), seconds(60));
  EXPECT_EQ(CrashBackOff(2), Duration(0));
  EXPECT_EQ(CrashBackOff(3), seconds(30));
  EXPECT_EQ(CrashBackOff(199), std::chrono::minutes(16));
}

}  // namespace
}  // namespace baton
