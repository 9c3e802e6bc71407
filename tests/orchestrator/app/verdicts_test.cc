// How often somebody outside is asked for a verdict.
#include "orchestrator/app/leader/verdicts.h"

#include <gtest/gtest.h>

#include "tests/fakes/no_metrics.h"
#include "tests/fakes/on_loop.h"
#include "tests/fakes/silent_log.h"
#include "tests/fakes/waiting_store.h"

namespace baton {
namespace {

// Says "not yet" at once.
class Undecided final : public VerdictClient {
 public:
  void Ask(const VerdictQuestion&, std::function<void(VerdictAnswer)> done) override {
    ++asked;
    done({Verdict::kWait, "not yet"});
  }
  int asked = 0;
};

class VerdictsTest : public ::testing::Test {
 protected:
  VerdictsTest() {
    OnLoop(loop_, [this] { roller_.Lead(); });
  }
  ~VerdictsTest() override { loop_.Stop(); }
  // What the planner asks with each look at the app.
  void Ask() {
    OnLoop(loop_, [this] { verdicts_.Ask({.guid = ProcessGuid("app"), .roll_id = RollId("roll"), .stage = 1}); });
  }
  // So many calls of this name so far: "verdict" stores an answer, "plan" looks at the app.
  int Calls(const std::string& name) {
    int calls = 0;
    OnLoop(loop_, [&] { calls = static_cast<int>(store_.Count(name)); });
    return calls;
  }

  SilentLog log_;
  NoMetrics metrics_;
  WaitingStore store_;
  Loop loop_;
  Roller roller_{store_, loop_, log_, metrics_, [](const Effects&) {}};
  Undecided verdict_client_;
  Verdicts verdicts_{roller_, loop_, verdict_client_, log_};
};

TEST_F(VerdictsTest, AreAskedForAgainAfterOneSecondThenTwiceAsLongUpToThirty) {
  int times = 0;
  for (const int wait : {1, 2, 4, 8, 16, 30, 30, 30}) EXPECT_EQ(AskVerdictAgainAfter(++times), seconds(wait)) << times;
  EXPECT_EQ(AskVerdictAgainAfter(1'000'000), seconds(30));
}

TEST_F(VerdictsTest, TheAppIsLookedAtWhenItIsTimeToAskAgainAndNotAskedForBefore) {
  const auto began = Loop::Steady::now();
  Ask();
  EXPECT_EQ(Calls("verdict"), 1);
  Ask();
  EXPECT_EQ(verdict_client_.asked, 1) << "each look at the app asks";
  while (Calls("plan") == 0 && Loop::Steady::now() - began < seconds(20)) std::this_thread::yield();
  ASSERT_EQ(Calls("plan"), 1) << "nobody looks at it any more";
  EXPECT_GE(Loop::Steady::now() - began, AskVerdictAgainAfter(1));
  Ask();
  EXPECT_EQ(verdict_client_.asked, 2);
}

}  // namespace
}  // namespace baton
