// Which trace a roll's steps are logged under.
#include "orchestrator/app/leader/roll_traces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton {
namespace {

using ::testing::ElementsAre;

const TraceParent kNone;
const TraceParent kOne = TraceParent::From("00-11111111111111111111111111111111-00f067aa0ba902b7-01");
const TraceParent kOther = TraceParent::From("00-22222222222222222222222222222222-00f067aa0ba902b7-01");

class RollTracesTest : public ::testing::Test {
 protected:
  RollTracesTest() {
    after_.guid = ProcessGuid("app");
    after_.roll = Roll{.id = RollId("roll")};
  }
  static AppChanges Steps(int count) {
    AppChanges changes;
    changes.steps.resize(static_cast<std::size_t>(count));
    return changes;
  }
  static AppChanges StepsOf(int count, const TraceParent& trace) {
    AppChanges changes = Steps(count);
    changes.CausedBy(trace);
    return changes;
  }
  std::vector<TraceParent> Commit(const AppChanges& changes, bool whole = true) {
    return traces_.OfSteps({after_.guid, changes, after_, whole});
  }

  AppState after_;
  RollTraces traces_;
};

TEST_F(RollTracesTest, WhatTheRollDoesAfterItsCallIsOfTheCallsTrace) {
  EXPECT_THAT(Commit(Steps(1)), ElementsAre(kNone));
  EXPECT_THAT(Commit(StepsOf(2, kOne)), ElementsAre(kOne, kOne));
  EXPECT_THAT(Commit(Steps(1)), ElementsAre(kOne)) << "the planner's";
  EXPECT_EQ(traces_.Of(after_.guid), kOne);
  EXPECT_EQ(traces_.Of(ProcessGuid("another")), kNone);
}

TEST_F(RollTracesTest, OfCallsInOneCommitEachHasItsOwnSteps) {
  AppChanges changes = Steps(1);
  changes.Merge(StepsOf(1, kOne));
  changes.Merge(Steps(1));
  changes.Merge(StepsOf(0, kNone));  // one that did nothing with the roll
  changes.Merge(StepsOf(2, kOther));
  EXPECT_THAT(Commit(changes), ElementsAre(kNone, kOne, kOne, kOther, kOther));
  EXPECT_EQ(traces_.Of(after_.guid), kOther);
}

TEST_F(RollTracesTest, ACallOfNoTraceTakesTheRollOutOfTheOneBefore) {
  Commit(StepsOf(1, kOne));
  EXPECT_THAT(Commit(StepsOf(1, kNone)), ElementsAre(kNone));
  EXPECT_THAT(Commit(Steps(1)), ElementsAre(kNone));
}

TEST_F(RollTracesTest, ARollThatIsOverIsForgotten) {
  Commit(StepsOf(1, kOne));
  after_.roll.reset();
  EXPECT_THAT(Commit(Steps(1)), ElementsAre(kOne)) << "its last step";
  after_.roll = Roll{.id = RollId("next")};
  EXPECT_THAT(Commit(Steps(1)), ElementsAre(kNone));
}

// Its commit has one instance and no roll.
TEST_F(RollTracesTest, AReportOfOneInstanceForgetsNothing) {
  Commit(StepsOf(1, kOne));
  const std::optional<Roll> roll = std::exchange(after_.roll, std::nullopt);
  Commit(Steps(0), /*whole=*/false);
  after_.roll = roll;
  EXPECT_THAT(Commit(Steps(1)), ElementsAre(kOne));
}

TEST_F(RollTracesTest, TheNextLeaderKnowsNone) {
  Commit(StepsOf(1, kOne));
  traces_.Clear();
  EXPECT_EQ(traces_.Of(after_.guid), kNone);
}

}  // namespace
}  // namespace baton
