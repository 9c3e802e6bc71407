// Instances that have to go although they are well: their cell drains, or somebody asked.
#include <gtest/gtest.h>

#include "orchestrator/app/apps/retire.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

void DrainIndex(AppMaker& maker, int index, Presence presence = Presence::kOrdinary) {
  maker.Of(index, presence)->cell_id = kDrainingCell;
}

Retirement AskEvacuation(AppMaker& maker, const char* definition = nullptr) {
  AppEdit edit(maker.app, maker.moment, "test");
  std::optional<DefinitionId> id;
  if (definition) id = DefinitionId(definition);
  Retirement retirement;
  EXPECT_TRUE(DecideRetireInstances(edit, {id, {}}, retirement).ok());
  (void)edit.Finish();
  return retirement;
}

int Retire(AppMaker& maker, const char* definition = nullptr) {
  return static_cast<int>(AskEvacuation(maker, definition).instances.size());
}

bool SomebodyRunsOn(const AppMaker& maker, const CellId& cell) {
  for (const auto& [id, lrp] : maker.app.actuals) {
    if (lrp.cell_id == cell) return true;
  }
  return false;
}

TEST(Evacuate, AnInstanceServesUntilItsReplacementIsReady) {
  AppMaker maker = AppMaker::Settled(2);
  DrainIndex(maker, 1);
  EXPECT_EQ(maker.PlanNow().to_place.size(), 1u);
  ASSERT_NE(maker.Of(1, Presence::kEvacuating), nullptr);
  EXPECT_EQ(maker.Of(1, Presence::kOrdinary)->definition, DefinitionId("v1"));
  AppMaker::Start(*maker.Of(1, Presence::kOrdinary), maker.moment.now);
  maker.PlanNow();
  EXPECT_NE(maker.Of(1, Presence::kEvacuating), nullptr) << "not before min_healthy_time";
  maker.Wait(seconds(10));
  maker.PlanNow();
  EXPECT_EQ(maker.Of(1, Presence::kEvacuating), nullptr);
  maker.Run(HonestCells, seconds(6), 10);
  EXPECT_FALSE(SomebodyRunsOn(maker, kDrainingCell));
  EXPECT_EQ(maker.ReadyOf("v1"), 2);
}

TEST(Evacuate, AWholeCellGoesAtOnceWhateverTheCeilingIs) {
  AppMaker maker = AppMaker::Settled(4);
  for (int i = 0; i < 4; ++i) DrainIndex(maker, i);
  EXPECT_EQ(maker.PlanNow().to_place.size(), 4u);
  EXPECT_EQ(maker.Count(Presence::kEvacuating), 4);
}

TEST(Evacuate, WhatIsNotRoutableIsMadeAnew) {
  AppMaker maker = AppMaker::Settled(1);
  DrainIndex(maker, 0);
  maker.Of(0, Presence::kOrdinary)->routable = false;
  maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kEvacuating), 0);
  EXPECT_EQ(maker.Count(Presence::kRetiring), 1);
  EXPECT_EQ(maker.Of(0, Presence::kOrdinary)->state, LrpState::kUnclaimed);
}

TEST(Evacuate, ARecreateAppMakesRoomFirstAndOneSlotAtATime) {
  AppMaker maker = AppMaker::Settled(3);
  maker.strategy().mode = Mode::kRecreate;
  for (int i = 0; i < 3; ++i) DrainIndex(maker, i);
  const Plan plan = maker.PlanNow();
  EXPECT_TRUE(plan.to_place.empty()) << "the old one may still run";
  EXPECT_EQ(maker.Count(Presence::kRetiring), 1);
  EXPECT_EQ(maker.Count(Presence::kEvacuating), 0);
  EXPECT_TRUE(maker.Explains(plan, rule::kTurn));
  maker.Run(HonestCells, seconds(11), 20);
  EXPECT_FALSE(SomebodyRunsOn(maker, kDrainingCell));
  EXPECT_EQ(maker.ReadyOf("v1"), 3);
}

// Found by simulation, seed 1795315700: each waited for the other for ever.
TEST(Evacuate, AnAppThatBecomesRecreateMeanwhileMakesRoomForTheReplacements) {
  AppMaker maker = AppMaker::Settled(3);
  for (int i = 0; i < 3; ++i) DrainIndex(maker, i);
  maker.PlanNow();
  ASSERT_EQ(maker.Count(Presence::kEvacuating), 3);
  maker.strategy().mode = Mode::kRecreate;
  EXPECT_TRUE(maker.PlanNow().to_place.empty());
  EXPECT_EQ(maker.Count(Presence::kRetiring), 1) << "one slot at a time";
  maker.Run(HonestCells, seconds(11), 20);
  EXPECT_FALSE(SomebodyRunsOn(maker, kDrainingCell));
  EXPECT_EQ(maker.ReadyOf("v1"), 3);
}

TEST(Evacuate, ARollOfAnAppThatBecomesRecreateGoesOnWithoutSurge) {
  AppMaker maker(2);
  maker.RunAll("v1");
  maker.OpenRoll();
  maker.PlanNow();
  ASSERT_EQ(maker.Count(Presence::kSurge), 1);
  maker.strategy().mode = Mode::kRecreate;
  maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kSurge), 0) << "it could never start beside the old one";
  maker.Run(HonestCells, seconds(11), 40);
  EXPECT_FALSE(maker.app.roll);
  EXPECT_EQ(maker.ReadyOf("v2"), 2);
}

TEST(Evacuate, ANewcomerOnACellThatDrainsIsNoFailedAttempt) {
  AppMaker maker(2);
  maker.RunAll("v1");
  maker.OpenRoll();
  maker.PlanNow();
  ActualLrp& newcomer = *maker.Of(0, Presence::kSurge);
  AppMaker::Start(newcomer, maker.moment.now);
  newcomer.cell_id = kDrainingCell;
  maker.PlanNow();
  EXPECT_EQ(maker.app.slot_logs.at(0).failed_attempts, 0);
  EXPECT_EQ(maker.Of(0, Presence::kSurge), nullptr) << "its process counts until it is gone";
  maker.Run(HonestCells, seconds(11), 40);
  EXPECT_FALSE(maker.app.roll);
  EXPECT_EQ(maker.ReadyOf("v2"), 2);
}

TEST(Evacuate, BesideANewcomerTheReplacementIsMadeByTheRestartRule) {
  AppMaker maker(2);
  maker.RunAll("v1");
  maker.OpenRoll();
  maker.PlanNow();
  DrainIndex(maker, 0);
  maker.PlanNow();
  EXPECT_EQ(maker.Of(0, Presence::kOrdinary)->definition, DefinitionId("v1"));
  EXPECT_EQ(maker.Of(0, Presence::kSurge)->definition, DefinitionId("v2"));
  EXPECT_NE(maker.Of(0, Presence::kEvacuating), nullptr);
  maker.Run(HonestCells, seconds(11), 40);
  EXPECT_FALSE(maker.app.roll);
  EXPECT_EQ(maker.ReadyOf("v2"), 2);
  EXPECT_FALSE(SomebodyRunsOn(maker, kDrainingCell));
}

TEST(Evacuate, OfTwoThatHaveToGoTheOneThatIsNotReadyGoes) {
  AppMaker maker = AppMaker::Settled(1);
  DrainIndex(maker, 0);
  maker.PlanNow();
  ActualLrp& second = *maker.Of(0, Presence::kOrdinary);
  AppMaker::Start(second, maker.moment.now);
  second.cell_id = kDrainingCell;
  const ActualId first = maker.Of(0, Presence::kEvacuating)->id;
  maker.PlanNow();
  ASSERT_NE(maker.Of(0, Presence::kEvacuating), nullptr);
  EXPECT_EQ(maker.Of(0, Presence::kEvacuating)->id, first) << "it serves";
  EXPECT_EQ(maker.Count(Presence::kRetiring), 1);
}

TEST(RetireInstances, GoAsManyAtATimeAsARollWouldTake) {
  AppMaker maker = AppMaker::Settled(4);
  EXPECT_EQ(Retire(maker), 4);
  const Plan plan = maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kEvacuating), 1);
  EXPECT_TRUE(maker.Explains(plan, rule::kTurn));
  std::set<ActualId> before;
  for (const auto& [id, lrp] : maker.app.actuals) before.insert(id);
  maker.Run(HonestCells, seconds(11), 60);
  EXPECT_EQ(maker.ReadyOf("v1"), 4);
  for (const auto& [id, lrp] : maker.app.actuals) EXPECT_FALSE(lrp.retire_asked);
}

TEST(RetireInstances, WithoutSurgeTheyMakeRoomWithinTheFloor) {
  AppMaker maker = AppMaker::Settled(3);
  maker.strategy().max_surge = {0};
  maker.strategy().max_unavailable = {1};
  Retire(maker);
  maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kEvacuating), 0);
  EXPECT_EQ(maker.Count(Presence::kRetiring), 1);
  maker.Run(HonestCells, seconds(11), 60);
  EXPECT_EQ(maker.ReadyOf("v1"), 3);
}

TEST(RetireInstances, OfOneDefinitionOnly) {
  AppMaker maker(2);
  maker.RunAll("v1");
  maker.OpenRoll();
  maker.PlanNow();
  AppMaker::Start(*maker.Of(0, Presence::kSurge), maker.moment.now);
  EXPECT_EQ(Retire(maker, "v2"), 1);
  maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kRetiring), 1);
  EXPECT_EQ(maker.Count(Presence::kEvacuating), 0);
  EXPECT_EQ(maker.app.slot_logs.at(0).failed_attempts, 0);
  maker.Run(HonestCells, seconds(11), 40);
  EXPECT_EQ(maker.ReadyOf("v2"), 2);
}

TEST(RetireInstances, WhatCrashedIsMadeAnewAtOnce) {
  AppMaker maker = AppMaker::Settled(1);
  ActualLrp& lrp = *maker.Of(0, Presence::kOrdinary);
  lrp.state = LrpState::kCrashed;
  lrp.cell_id = CellId();
  lrp.instance_guid = InstanceGuid();
  AppMaker::MakeUnready(lrp);
  lrp.crash_count = 50;
  EXPECT_TRUE(maker.PlanNow().to_place.empty()) << "in back-off";
  Retire(maker);
  EXPECT_EQ(maker.PlanNow().to_place.size(), 1u);
}

TEST(RetireInstances, OfAnAppOrDefinitionThatIsNotThereIsNotFound) {
  AppMaker maker = AppMaker::Settled(1);
  AppEdit edit(maker.app, maker.moment, "test");
  Retirement marked;
  EXPECT_EQ(DecideRetireInstances(edit, {DefinitionId("v9"), {}}, marked).error().kind, ErrorKind::kNotFound);
  maker.app.desired.reset();
  EXPECT_EQ(DecideRetireInstances(edit, {}, marked).error().kind, ErrorKind::kNotFound);
}

TEST(Evacuate, OneSlotIsRetiredAlone) {
  AppMaker maker = AppMaker::Settled(3);
  AppEdit edit(maker.app, maker.moment, "test");
  Retirement marked;
  EXPECT_TRUE(DecideRetireInstances(edit, {{}, 1}, marked).ok());
  EXPECT_EQ(marked.instances.size(), 1u);
  for (const auto& [id, lrp] : maker.app.actuals) EXPECT_EQ(lrp.retire_asked, lrp.index == 1);
  EXPECT_EQ(DecideRetireInstances(edit, {{}, 3}, marked).error().kind, ErrorKind::kNotFound) << "nobody holds it";
}

}  // namespace
}  // namespace baton
