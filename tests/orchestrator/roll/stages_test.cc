// Stops on a roll's way.
#include <gtest/gtest.h>

#include "orchestrator/roll/transition.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

class StagedRoll : public ::testing::Test {
 protected:
  StagedRoll() {
    maker.RunAll("v1");
    maker.strategy().stages = {{{1}, seconds(60)}, {{50, true}, std::nullopt}};
    maker.OpenRoll();
  }

  Status Ask(RollEvent event) {
    AppEdit edit(maker.app, maker.moment, "test");
    const Status status = ApplyRollEvent(edit, event, "the test");
    (void)edit.Finish();
    return status;
  }
  RollState state() const { return maker.app.roll ? maker.app.roll->state : RollState::kCompleted; }
  // Until it stops somewhere, or ends.
  void RunOn() {
    for (int i = 0; i < 40; ++i) {
      maker.PlanNow();
      if (state() != RollState::kRolling) return;
      HonestCells(maker);
      maker.Wait(seconds(6));
    }
  }

  AppMaker maker{4};
};

TEST_F(StagedRoll, StopsWhereTheStageSaysAndGoesOnWhenItsWaitIsOver) {
  RunOn();
  ASSERT_EQ(state(), RollState::kPaused);
  EXPECT_EQ(maker.ReadyOf("v2"), 1);
  const Plan plan = maker.PlanNow();
  EXPECT_TRUE(maker.Explains(plan, rule::kStage));
  ASSERT_TRUE(plan.wake_up_at);
  maker.Run(HonestCells, seconds(6), 5);  // the old one goes; nothing else does
  EXPECT_EQ(maker.ReadyOf("v2"), 1);
  EXPECT_EQ(maker.ReadyOf("v1"), 3);
  maker.Wait(seconds(60));
  maker.PlanNow();
  EXPECT_EQ(state(), RollState::kRolling);
  EXPECT_EQ(maker.app.roll->stages_done, 1);
}

TEST_F(StagedRoll, WaitsForAPromotion) {
  RunOn();
  ASSERT_TRUE(Ask(RollEvent::kPromote).ok()) << "before its time";
  RunOn();
  ASSERT_EQ(state(), RollState::kPaused);
  EXPECT_EQ(maker.ReadyOf("v2"), 2) << "50 % of 4";
  maker.Run(HonestCells, seconds(6), 5);  // the old ones go
  EXPECT_FALSE(maker.PlanNow().wake_up_at) << "nothing but a person unblocks it";
  maker.Wait(std::chrono::hours(24 * 365));
  maker.PlanNow();
  ASSERT_EQ(state(), RollState::kPaused);
  ASSERT_TRUE(Ask(RollEvent::kPromote).ok());
  EXPECT_EQ(Ask(RollEvent::kPromote).error().kind, ErrorKind::kFailedPrecondition) << "it waits no more";
  RunOn();
  EXPECT_EQ(state(), RollState::kCompleted);
  EXPECT_EQ(maker.ReadyOf("v2"), 4);
}

TEST_F(StagedRoll, PausedByHandTooItGoesOnWhenNeitherHolds) {
  RunOn();
  ASSERT_EQ(Ask(RollEvent::kResume).error().kind, ErrorKind::kFailedPrecondition) << "nobody paused it";
  ASSERT_TRUE(Ask(RollEvent::kPause).ok());
  ASSERT_FALSE(Ask(RollEvent::kPause).ok());
  ASSERT_TRUE(Ask(RollEvent::kPromote).ok());
  EXPECT_EQ(state(), RollState::kPaused);
  EXPECT_FALSE(maker.Explains(maker.PlanNow(), rule::kStage));
  ASSERT_TRUE(Ask(RollEvent::kResume).ok());
  EXPECT_EQ(state(), RollState::kRolling);
  RunOn();  // the other way about
  ASSERT_TRUE(Ask(RollEvent::kPause).ok());
  ASSERT_TRUE(Ask(RollEvent::kResume).ok());
  EXPECT_EQ(state(), RollState::kPaused);
  ASSERT_TRUE(Ask(RollEvent::kPromote).ok());
  EXPECT_EQ(state(), RollState::kRolling);
}

TEST_F(StagedRoll, NoMoreSlotsAreTriedThanTheStageHas) {
  maker.strategy().max_surge = {4};
  maker.strategy().max_in_flight = {4};
  maker.app.roll->proved_at = maker.moment.now;
  const Plan plan = maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kSurge), 1);
  EXPECT_TRUE(maker.Explains(plan, rule::kStageFirst));
}

TEST_F(StagedRoll, GoingBackItDoesNotStop) {
  RunOn();
  ASSERT_EQ(state(), RollState::kPaused);
  ASSERT_TRUE(Ask(RollEvent::kCancel).ok());
  for (int i = 0; i < 20 && maker.app.roll; ++i) {
    maker.PlanNow();
    ASSERT_NE(state(), RollState::kPaused);
    HonestCells(maker);
    maker.Wait(seconds(6));
  }
  EXPECT_FALSE(maker.app.roll);
  EXPECT_EQ(maker.ReadyOf("v1"), 4);
}

TEST_F(StagedRoll, AStageOfAllInstancesIsNone) {
  maker.strategy().stages = {{{100, true}, std::nullopt}};
  RunOn();
  EXPECT_EQ(state(), RollState::kCompleted);
}

TEST(Stages, AFirstStartDoesNotStop) {
  AppMaker maker(3);
  maker.strategy().stages = {{{1}, std::nullopt}};
  maker.app.desired->healthy = DefinitionId();
  maker.OpenRoll();
  maker.app.roll->source = DefinitionId();
  maker.Run(HonestCells, seconds(6), 10);
  EXPECT_FALSE(maker.app.roll);
}

}  // namespace
}  // namespace baton
