// Scaling, repairs and lost cells, with and without a roll.
#include <gtest/gtest.h>

#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

TEST(Scaling, ASettledAppIsLeftAlone) {
  AppMaker maker = AppMaker::Settled(3);
  const Plan plan = maker.PlanNow();
  EXPECT_EQ(plan.steps, 0);
  EXPECT_FALSE(plan.wake_up_at);
}

TEST(Scaling, MoreInstancesAreMadeAtOnceOfTheActiveDefinition) {
  AppMaker maker = AppMaker::Settled(2);
  maker.app.desired->instances = 5;
  EXPECT_EQ(maker.PlanNow().to_place.size(), 3u);
  for (int i = 2; i < 5; ++i) EXPECT_EQ(maker.Of(i, Presence::kOrdinary)->definition, DefinitionId("v1"));
}

// One commit of 100,000 rows took so long that other apps' calls were refused: "the database is slow".
TEST(Scaling, ManyInstancesAreMadeOverSeveralPassesThatFollowAtOnce) {
  AppMaker maker = AppMaker::Settled(1);
  maker.app.desired->instances = 1 + 2 * kMadeInOnePass + 500;
  const Plan first = maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kOrdinary), 1 + kMadeInOnePass);
  EXPECT_EQ(first.wake_up_at, maker.moment.now);
  EXPECT_EQ(maker.PlanNow().wake_up_at, maker.moment.now);
  EXPECT_NE(maker.PlanNow().wake_up_at, maker.moment.now);
  EXPECT_EQ(maker.Count(Presence::kOrdinary), maker.app.desired->instances);
}

TEST(Scaling, AsManyNewcomersAsSurgeAllowsAreMadeOverSeveralPassesToo) {
  AppMaker maker(kMadeInOnePass + 500);
  maker.RunAll("v1");
  maker.OpenRoll();
  maker.strategy().max_surge = {100, true};
  maker.strategy().max_in_flight = {100, true};
  maker.app.roll->proved_at = maker.moment.now;
  const Plan first = maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kSurge), kMadeInOnePass);
  EXPECT_EQ(first.wake_up_at, maker.moment.now);
  EXPECT_NE(maker.PlanNow().wake_up_at, maker.moment.now);
  EXPECT_EQ(maker.Count(Presence::kSurge), maker.app.desired->instances);
}

TEST(Scaling, FewerInstancesRetireFromTheTop) {
  AppMaker maker = AppMaker::Settled(5);
  maker.app.desired->instances = 2;
  maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kOrdinary), 2);
  EXPECT_EQ(maker.Count(Presence::kRetiring), 3);
  for (int i = 0; i < 2; ++i) EXPECT_NE(maker.Of(i, Presence::kOrdinary), nullptr);
}

TEST(Scaling, ToNothingStopsEverything) {
  AppMaker maker = AppMaker::Settled(3);
  maker.app.desired->instances = 0;
  maker.Run(HonestCells, seconds(6), 10);
  EXPECT_TRUE(maker.app.actuals.empty());
}

TEST(Scaling, UpInMidRollMakesTheNewSlotsAtOnceAndTheRollEnds) {
  AppMaker maker(2);
  maker.RunAll("v1");
  maker.OpenRoll();
  maker.Run(HonestCells, seconds(6), 2);
  maker.app.desired->instances = 4;
  maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kOrdinary), 4);
  maker.Run(HonestCells, seconds(6), 60);
  EXPECT_FALSE(maker.app.roll);
  EXPECT_EQ(maker.ReadyOf("v2"), 4);
}

// It was filled with the target and replaced with the source in the same pass, because the time of a slot whose old
// instance runs and is not ready began anew with the row that fills it.
TEST(Scaling, ASlotIsFilledWhoseOldInstanceRunsAndIsLongNotReady) {
  AppMaker maker = AppMaker::Settled(3);
  maker.OpenRoll();
  maker.app.roll->proved_at = maker.moment.now;
  ActualLrp& old = *maker.Of(2, Presence::kOrdinary);
  AppMaker::MakeUnready(old);
  old.since = maker.moment.now;
  old.down_since.reset();
  maker.Wait(seconds(60));
  maker.PlanNow();
  ASSERT_NE(maker.Of(2, Presence::kOrdinary), nullptr);
  EXPECT_EQ(maker.Of(2, Presence::kOrdinary)->definition, DefinitionId("v2"));
  maker.PlanNow();
  EXPECT_EQ(maker.Of(2, Presence::kOrdinary)->definition, DefinitionId("v2"));
}

// It was filled with the target and, in the same pass, replaced with the source: a slot without a row had not served
// for long, one with a new row had not been down yet.
TEST(Scaling, UpAfterProofMakesANewSlotOnceAndByTheRestartRule) {
  AppMaker maker(2);
  maker.RunAll("v1");
  maker.OpenRoll();
  maker.app.roll->proved_at = maker.moment.now;
  maker.app.desired->instances = 3;
  AppEdit edit(maker.app, maker.moment, "baton");
  PlanRoll(edit);
  int made = 0;
  for (const RollStep& step : edit.Finish().steps) made += step.index == 2;
  EXPECT_EQ(made, 1);
  EXPECT_EQ(maker.Of(2, Presence::kOrdinary)->definition, DefinitionId("v1"));
  maker.Wait(seconds(30));
  maker.PlanNow();
  EXPECT_EQ(maker.Of(2, Presence::kOrdinary)->definition, DefinitionId("v2")) << "nobody took it for refill_after";
}

TEST(Scaling, DownToNothingInMidRollEndsItWithoutProof) {
  AppMaker maker(2);
  maker.RunAll("v1");
  maker.OpenRoll();
  maker.PlanNow();
  maker.app.desired->instances = 0;
  maker.Run(HonestCells, seconds(6), 20);
  EXPECT_FALSE(maker.app.roll);
  EXPECT_FALSE(maker.app.definitions.at({1, DefinitionId("v2")}).proven_at) << "nothing of it ever ran";
}

TEST(Repair, AClaimThatNeverBecomesARunIsGivenToAnother) {
  AppMaker maker = AppMaker::Settled(1);
  ActualLrp& claimed = *maker.Of(0, Presence::kOrdinary);
  claimed.state = LrpState::kClaimed;
  claimed.claimed_at = maker.moment.now;
  AppMaker::MakeUnready(claimed);
  const Plan plan = maker.PlanNow();
  ASSERT_TRUE(plan.wake_up_at);
  EXPECT_EQ(maker.Count(Presence::kRetiring), 0);
  maker.Wait(*plan.wake_up_at - maker.moment.now);
  EXPECT_EQ(maker.PlanNow().to_place.size(), 1u);
  EXPECT_EQ(maker.Count(Presence::kRetiring), 1) << "its cell is told to stop it, if it has it";
}

TEST(Repair, ACrashedInstanceIsStartedAgainAfterItsBackOff) {
  AppMaker maker = AppMaker::Settled(2);
  ActualLrp& crashed = *maker.Of(0, Presence::kOrdinary);
  crashed.state = LrpState::kCrashed;
  AppMaker::MakeUnready(crashed);
  crashed.crash_count = 3;
  crashed.since = maker.moment.now;
  const Plan plan = maker.PlanNow();
  EXPECT_TRUE(plan.to_place.empty());
  EXPECT_TRUE(maker.Explains(plan, rule::kCrashBackOff));
  maker.Wait(seconds(30));
  EXPECT_EQ(maker.PlanNow().to_place.size(), 1u);
}

TEST(Repair, AnInstanceOnALostCellIsReplacedBesideIt) {
  AppMaker maker = AppMaker::Settled(2);
  maker.moment.cells.erase(maker.Of(0, Presence::kOrdinary)->cell_id);
  const Plan plan = maker.PlanNow();
  EXPECT_EQ(plan.to_place.size(), 1u);
  EXPECT_NE(maker.Of(0, Presence::kOrdinary), nullptr);
  EXPECT_EQ(maker.Of(0, Presence::kOrdinary)->state, LrpState::kUnclaimed);
}

TEST(Repair, WhatIsBackTakesItsSlotWhereTheCellOfItsSuccessorIsLost) {
  AppMaker maker = AppMaker::Settled(2);
  const ActualId first = maker.Of(0, Presence::kOrdinary)->id;
  const auto home = maker.moment.cells.extract(maker.Of(0, Presence::kOrdinary)->cell_id);
  maker.PlanNow();
  ActualLrp& successor = *maker.Of(0, Presence::kOrdinary);
  ASSERT_NE(successor.id, first);
  AppMaker::Start(successor, maker.moment.now);
  successor.cell_id = CellId("successor's");
  maker.moment.cells.erase(successor.cell_id);
  maker.moment.cells[home.key()] = home.mapped();
  maker.PlanNow();
  ASSERT_TRUE(maker.app.actuals.contains(first)) << "it runs, and it serves";
  EXPECT_EQ(maker.app.actuals.at(first).presence, Presence::kOrdinary);
}

// An app's row that is not there, though nobody removed the app: its controller may only not have synced (Diego).
TEST(Removal, OrphansOfADomainThatIsNotFreshAreLeftAlone) {
  AppMaker maker = AppMaker::Settled(3);
  maker.app.desired.reset();
  EXPECT_EQ(maker.PlanNow().steps, 0);
  for (const auto& [id, lrp] : maker.app.actuals) EXPECT_EQ(lrp.presence, Presence::kOrdinary);
}

TEST(Removal, WhatIsLeftOfARemovedAppDrainsAndStops) {
  AppMaker maker = AppMaker::Settled(3);
  maker.app.desired.reset();
  maker.moment.fresh_domains.insert(maker.app.actuals.begin()->second.domain);
  maker.Run(
      [](AppMaker& m) {
        std::vector<ActualId> gone;
        for (const auto& [id, lrp] : m.app.actuals) {
          if (lrp.stop_ordered_at) gone.push_back(id);
        }
        for (const ActualId& id : gone) m.app.actuals.erase(id);
      },
      seconds(6), 10);
  EXPECT_TRUE(maker.app.actuals.empty());
}

}  // namespace
}  // namespace baton
