// When a newcomer may be made, and how many at a time.
#include <gtest/gtest.h>

#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

// A roll whose first slot is handed over and whose old instance is gone.
AppMaker Proved(int instances) {
  AppMaker maker(instances);
  maker.RunAll("v1");
  maker.OpenRoll();
  maker.app.roll->proved_at = maker.moment.now;
  return maker;
}

TEST(Newcomer, IsMadeBesideTheOldInstanceOneSlotAtATime) {
  AppMaker maker(3);
  maker.RunAll("v1");
  maker.OpenRoll();
  const Plan plan = maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kSurge), 1);
  EXPECT_EQ(maker.Count(Presence::kOrdinary), 3);
  ASSERT_NE(maker.Of(0, Presence::kSurge), nullptr);
  EXPECT_EQ(maker.Of(0, Presence::kSurge)->definition, DefinitionId("v2"));
  EXPECT_EQ(plan.to_place.size(), 1u);
  EXPECT_EQ(maker.PlanNow().steps, 0) << "nothing else may be done now";
}

TEST(Newcomer, TheFirstOneIsTriedAloneWhateverMaxInFlightSays) {
  AppMaker maker(6);
  maker.strategy().max_surge = {6};
  maker.strategy().max_in_flight = {6};
  maker.RunAll("v1");
  maker.OpenRoll();
  const Plan plan = maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kSurge), 1);
  EXPECT_TRUE(maker.Explains(plan, rule::kProofFirst));
}

TEST(Newcomer, AfterTheProofAsManyAsMaxInFlight) {
  AppMaker maker = Proved(6);
  maker.strategy().max_surge = {6};
  maker.strategy().max_in_flight = {4};
  const Plan plan = maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kSurge), 4);
  EXPECT_TRUE(maker.Explains(plan, rule::kInFlight));
}

TEST(Newcomer, NeverMoreThanInstancesAndSurge) {
  AppMaker maker = Proved(6);
  maker.strategy().max_surge = {2};
  maker.strategy().max_in_flight = {6};
  const Plan plan = maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kSurge), 2);
  EXPECT_TRUE(maker.Explains(plan, rule::kCeiling));
}

TEST(Newcomer, AnOldInstanceThatStillStopsCountsUnlessToldOtherwise) {
  for (const bool counts : {true, false}) {
    AppMaker maker = Proved(2);
    maker.strategy().max_in_flight = {2};
    maker.strategy().count_stopping = counts;
    maker.Of(0, Presence::kOrdinary)->definition = DefinitionId("v2");
    ActualLrp& old = maker.Add(0, Presence::kRetiring, "v1");
    AppMaker::Start(old, maker.moment.now);
    old.retiring_since = old.drain_not_before = maker.moment.now;
    old.awaits_drain = true;
    old.drain_until = maker.moment.now + seconds(15);
    maker.PlanNow();
    EXPECT_EQ(maker.Count(Presence::kSurge), counts ? 0 : 1) << "count_stopping " << counts;
  }
}

TEST(Newcomer, AFirstStartMakesAllSlotsAtOnce) {
  AppMaker maker(5);
  maker.app.desired->healthy = DefinitionId();
  maker.app.definitions.erase({1, DefinitionId("v1")});
  maker.OpenRoll();
  maker.app.roll->source = DefinitionId();
  EXPECT_EQ(maker.PlanNow().to_place.size(), 5u);
  EXPECT_EQ(maker.Count(Presence::kOrdinary), 5);
}

TEST(Newcomer, WithoutSurgeTheOldInstanceMakesRoomFirst) {
  AppMaker maker(4);
  maker.strategy().max_surge = {0};
  maker.strategy().max_unavailable = {1};
  maker.RunAll("v1");
  maker.OpenRoll();
  const Plan plan = maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kSurge), 0);
  EXPECT_EQ(maker.Count(Presence::kRetiring), 1);
  EXPECT_EQ(maker.ReadyOf("v1"), 3);
  EXPECT_TRUE(plan.to_place.empty()) << "the newcomer waits until the old instance is gone";
}

TEST(Newcomer, RecreateNeverRunsTwoInASlot) {
  AppMaker maker(3);
  maker.strategy().mode = Mode::kRecreate;
  maker.strategy().max_in_flight = {3};
  maker.RunAll("v1");
  maker.OpenRoll();
  for (int i = 0; i < 40; ++i) {
    maker.PlanNow();
    for (int index = 0; index < 3; ++index) {
      int running = 0;
      for (const auto& [id, lrp] : maker.app.actuals) running += lrp.index == index && MayRun(lrp);
      EXPECT_LE(running, 1);
    }
    std::vector<ActualId> gone;
    const Plan plan = maker.PlanNow();
    for (const ActualId& id : plan.to_place) AppMaker::Start(maker.app.actuals.at(id), maker.moment.now);
    for (auto& [id, lrp] : maker.app.actuals) {
      if (lrp.stop_ordered_at) gone.push_back(id);
    }
    for (const ActualId& id : gone) maker.app.actuals.erase(id);
    maker.Wait(seconds(6));
  }
  EXPECT_EQ(maker.ReadyOf("v2"), 3);
}

TEST(Newcomer, APausedRollMakesNone) {
  AppMaker maker = Proved(3);
  maker.app.roll->state = RollState::kPaused;
  maker.app.roll->paused_by_hand = true;
  const Plan plan = maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kSurge), 0);
  EXPECT_TRUE(maker.Explains(plan, rule::kPaused));
}

}  // namespace
}  // namespace baton
