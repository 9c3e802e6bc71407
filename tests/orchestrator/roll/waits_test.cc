// How long the planner waits for a cell that says nothing, and what it does then.
#include <gtest/gtest.h>

#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

// A message may be lost with its stream: nobody but the planner would repeat it.
TEST(Waits, AStopOrderIsRepeatedEveryFiveSecondsUntilItsCellAnswers) {
  AppMaker maker = AppMaker::Settled(2);
  maker.app.desired->instances = 1;
  maker.PlanNow();
  ActualLrp& old = *maker.Of(1, Presence::kRetiring);
  old.drained_by = maker.moment.consumers;
  ASSERT_EQ(maker.PlanNow().to_stop, std::vector<ActualId>{old.id});
  for (int i = 0; i < 3; ++i) {
    const Plan plan = maker.PlanNow();
    EXPECT_EQ(plan.to_stop, std::vector<ActualId>{old.id});
    ASSERT_TRUE(plan.wake_up_at);
    EXPECT_EQ(*plan.wake_up_at, maker.moment.now + seconds(5));
    maker.Wait(seconds(5));
  }
}

// Whoever is asked why names each; whoever acts on the plan makes no thousand sentences that nobody reads.
TEST(Waits, EachSlotThatWaitsForTheSameIsNamedToWhoAsks) {
  const auto waiting = [](Reasons reasons) {
    AppMaker maker = AppMaker::Settled(4);
    maker.OpenRoll();
    AppEdit edit(maker.app, maker.moment, "test");
    const Plan plan = PlanRoll(edit, reasons);
    EXPECT_EQ(plan.made, 1);
    std::vector<int> slots;
    for (const Reason& reason : plan.reasons) {
      if (reason.rule == rule::kCeiling) slots.push_back(reason.index);
    }
    return slots;
  };
  EXPECT_EQ(waiting(Reasons::kEach), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(waiting(Reasons::kFirst), (std::vector<int>{1}));
}

// Until then the cell may be running it on: nobody knows.
TEST(Waits, WhatMustNotRunTwiceIsReplacedAMinuteAfterTheLeaseOfItsLostCell) {
  AppMaker maker = AppMaker::Settled(1);
  maker.strategy().mode = Mode::kRecreate;
  const CellId cell = maker.Of(0, Presence::kOrdinary)->cell_id;
  const TimePoint ended = maker.moment.now;
  const auto plan_after = [&](Duration waited) {
    maker.Wait(ended + waited - maker.moment.now);
    maker.moment.cells[cell] = {ended, false, true};
    return maker.PlanNow();
  };
  EXPECT_TRUE(plan_after(Duration(0)).to_place.empty());
  EXPECT_TRUE(plan_after(seconds(59)).to_place.empty());
  EXPECT_EQ(plan_after(seconds(60)).to_place.size(), 1u);
}

TEST(Waits, AClaimWithoutARunIsTakenBackHalfAMinuteAfterItsStartTimeout) {
  AppMaker maker = AppMaker::Settled(1);
  ActualLrp& claimed = *maker.Of(0, Presence::kOrdinary);
  claimed.state = LrpState::kClaimed;
  claimed.claimed_at = maker.moment.now;
  AppMaker::MakeUnready(claimed);
  const Plan plan = maker.PlanNow();
  ASSERT_TRUE(plan.wake_up_at);
  EXPECT_EQ(*plan.wake_up_at, maker.moment.now + kDefaultStartTimeout + seconds(30));
  maker.Wait(kDefaultStartTimeout + seconds(29));
  EXPECT_TRUE(maker.PlanNow().to_place.empty());
  maker.Wait(seconds(1));
  EXPECT_EQ(maker.PlanNow().to_place.size(), 1u);
}

TEST(Waits, ASlotThatServesNobodyIsFilledWithAProvenTargetAfterHalfAMinute) {
  AppMaker maker = AppMaker::Settled(3);
  maker.OpenRoll();
  maker.app.roll->proved_at = maker.moment.now;
  ActualLrp& old = *maker.Of(2, Presence::kOrdinary);
  AppMaker::MakeUnready(old);
  old.down_since = maker.moment.now;
  maker.Wait(seconds(29));
  maker.PlanNow();
  EXPECT_EQ(maker.Of(2, Presence::kOrdinary)->definition, DefinitionId("v1"));
  maker.Wait(seconds(1));
  maker.PlanNow();
  EXPECT_EQ(maker.Of(2, Presence::kOrdinary)->definition, DefinitionId("v2"));
}

}  // namespace
}  // namespace baton
