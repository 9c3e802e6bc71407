// A running roll goes by what the app had when it was opened, but for what changes a running roll too.
#include <gtest/gtest.h>

#include "orchestrator/app/apps/update.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

class RunningStrategy : public ::testing::Test {
 protected:
  RunningStrategy() {
    maker.RunAll("v1");
    maker.OpenRoll();
  }
  void Change(const StrategyPatch& patch) {
    UpdateRequest request;
    request.strategy = patch;
    AppEdit edit(maker.app, maker.moment, "test");
    ASSERT_TRUE(DecideUpdate(edit, request).ok());
    (void)edit.Finish();
  }
  const Strategy& running() const { return maker.app.roll->strategy; }

  AppMaker maker{4};
};

TEST_F(RunningStrategy, TakesMoreSurgeMoreAtATimeAndALaterDeadline) {
  const TimePoint deadline = maker.app.roll->deadline;
  Change(
      {.max_surge = IntOrPercent{3}, .max_in_flight = IntOrPercent{2}, .progress_deadline = std::chrono::minutes(20)});
  EXPECT_EQ(running().max_surge, IntOrPercent{3});
  EXPECT_EQ(running().max_in_flight, IntOrPercent{2});
  EXPECT_EQ(running().progress_deadline, std::chrono::minutes(20));
  EXPECT_EQ(maker.app.roll->deadline, deadline + std::chrono::minutes(10));
}

TEST_F(RunningStrategy, KeepsTheRestUntilTheNextRoll) {
  StrategyPatch patch;
  patch.max_unavailable = IntOrPercent{2};
  patch.min_healthy_time = seconds(1);
  patch.max_failures = 1;
  patch.on_failure = OnFailure::kHold;
  patch.bake_time = seconds(60);
  patch.stages.emplace().push_back({{1}, std::nullopt});
  patch.count_stopping = false;
  const Strategy before = running();
  Change(patch);
  EXPECT_EQ(running(), before);
  EXPECT_EQ(maker.app.desired->strategy.min_healthy_time, seconds(1));
  maker.Run(HonestCells, seconds(11), 60);
  EXPECT_FALSE(maker.app.roll) << "no stage stopped it";
  EXPECT_EQ(StrategyOf(maker.app).max_failures, 1) << "and now it holds";
}

// It must never run twice, from the moment on at which somebody says so.
TEST_F(RunningStrategy, RecreateIsAPropertyOfTheAppAndHoldsAtOnce) {
  Change({.mode = Mode::kRecreate});
  EXPECT_EQ(running().mode, Mode::kRecreate);
}

}  // namespace
}  // namespace baton
