// Slots that a pass does not look at: it does what it would do if it looked at all.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "orchestrator/app/apps/lifecycle.h"
#include "tests/orchestrator/roll/random_app.h"

namespace baton {
namespace {

// Of which quiet slots are kept.
AppMaker SettledAndKept(int instances) {
  AppMaker maker = AppMaker::Settled(instances);
  maker.app.quiet.Keep();
  (void)maker.PlanNow();
  return maker;
}

std::vector<int> QuietIn(const AppMaker& maker) {
  std::vector<int> indexes;
  for (const auto& [index, seat] : maker.app.quiet.seats()) indexes.push_back(index);
  return indexes;
}

AppMaker LookingAtAll(const AppMaker& maker) {
  AppMaker all(maker);
  all.app.quiet = {};
  return all;
}

void ExpectTheSame(const Plan& plan, const Plan& all) {
  EXPECT_EQ(plan.steps, all.steps);
  EXPECT_EQ(plan.made, all.made);
  EXPECT_EQ(plan.served, all.served);
  EXPECT_EQ(plan.wake_up_at, all.wake_up_at);
  EXPECT_EQ(plan.to_place, all.to_place);
  EXPECT_EQ(plan.to_stop, all.to_stop);
  EXPECT_EQ(plan.overdue, all.overdue);
  const auto told = [](const Plan& of) {
    std::multiset<std::string> reasons;
    for (const Reason& reason : of.reasons) {
      reasons.insert(std::string(reason.rule) + " " + std::to_string(reason.index) + " " + reason.text + " " +
                     reason.unblocks);
    }
    return reasons;
  };
  EXPECT_EQ(told(plan), told(all));
}

// One pass of both.
void PlanBoth(AppMaker& maker) {
  AppMaker all = LookingAtAll(maker);
  const Plan plan = maker.PlanNow();
  ExpectTheSame(plan, all.PlanNow());
  EXPECT_EQ(maker.app.actuals, all.app.actuals);
  EXPECT_EQ(maker.app.desired, all.app.desired);
  EXPECT_EQ(maker.app.roll, all.app.roll);
  EXPECT_EQ(maker.app.definitions, all.app.definitions);
}

TEST(Quiet, APassThatSkipsThemDoesWhatOneDoesThatLooksAtAll) {
  std::size_t quiet = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    AppMaker maker = RandomApp(dice);
    for (int round = 0; round < 30; ++round) {
      PlanBoth(maker);
      if (::testing::Test::HasFailure()) return;
      quiet += maker.app.quiet.seats().size();
      DisturbMore(maker, dice);
    }
  }
  EXPECT_GT(quiet, 5000u);  // of 400 apps through 30 events
}

TEST(Quiet, IsEachSlotThatNothingIsAskedOf) {
  const AppMaker maker = SettledAndKept(5);
  EXPECT_EQ(QuietIn(maker), (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(maker.app.quiet.open().empty());
  EXPECT_TRUE(maker.app.quiet.rows().empty());
}

TEST(Quiet, IsNoneWhereNobodyTellsWhatChanges) {
  AppMaker maker = AppMaker::Settled(5);
  (void)maker.PlanNow();
  EXPECT_FALSE(maker.app.quiet.known());
}

TEST(Quiet, IsNoneWhereManySlotsAreOpen) {
  for (const int starting : {60, 100}) {
    AppMaker maker = SettledAndKept(200);
    for (int index = 0; index < starting; ++index) {
      ActualLrp& row = *maker.Of(index, Presence::kOrdinary);
      maker.app.quiet.Touch(row);
      AppMaker::Start(row, maker.moment.now);
    }
    PlanBoth(maker);
    EXPECT_EQ(maker.app.quiet.known(), starting == 60);
    maker.Wait(maker.strategy().min_healthy_time);
    PlanBoth(maker);
    EXPECT_EQ(QuietIn(maker).size(), 200u);
  }
}

TEST(Quiet, IsOneNoMoreWhoseInstanceCrashes) {
  AppMaker maker = SettledAndKept(5);
  const ActualLrp crashing = *maker.Of(3, Presence::kOrdinary);
  {
    AppEdit edit(maker.app, maker.moment, "cell");
    ASSERT_TRUE(DecideCrash(edit, {crashing.id, crashing.instance_guid, crashing.cell_id}, "it crashed"));
    (void)edit.Finish();
  }
  EXPECT_EQ(QuietIn(maker), (std::vector<int>{0, 1, 2, 4}));
  PlanBoth(maker);
  EXPECT_EQ(QuietIn(maker), (std::vector<int>{0, 1, 2, 4}));
  maker.Run(HonestCells, seconds(11), 10);
  EXPECT_EQ(QuietIn(maker).size(), 5u);
}

// Whoever asked for the change was refused, after a pass had looked at it.
TEST(Quiet, IsLookedAtAgainWhereAChangeIsUndone) {
  AppMaker maker = AppMaker::Settled(3);
  maker.Of(1, Presence::kOrdinary)->retire_asked = true;
  maker.app.quiet.Keep();
  AppEdit edit(maker.app, maker.moment, "test");
  edit.Change(maker.Of(1, Presence::kOrdinary)->id).retire_asked = false;
  (void)PlanRoll(edit);
  ASSERT_EQ(QuietIn(maker), (std::vector<int>{0, 1, 2}));
  edit.Undo();
  PlanBoth(maker);
  EXPECT_EQ(QuietIn(maker), (std::vector<int>{0, 2}));
}

// By a reference from before the pass.
TEST(Quiet, IsLookedAtAgainWhereItIsChangedAfterAPass) {
  AppMaker maker = SettledAndKept(3);
  AppEdit edit(maker.app, maker.moment, "test");
  ActualLrp& row = edit.Change(maker.Of(1, Presence::kOrdinary)->id);
  (void)PlanRoll(edit);
  EXPECT_EQ(QuietIn(maker), (std::vector<int>{0, 1, 2}));
  row.retire_asked = true;
  (void)edit.Finish();
  PlanBoth(maker);
  EXPECT_EQ(maker.Count(Presence::kEvacuating), 1);
}

TEST(Quiet, IsNoneWhoseCellIsLostOrDrains) {
  for (const bool lost : {true, false}) {
    AppMaker maker = SettledAndKept(4);
    const CellId cell = maker.Of(2, Presence::kOrdinary)->cell_id;
    (lost ? maker.moment.cells.at(cell).missing : maker.moment.cells.at(cell).draining) = true;
    PlanBoth(maker);
    EXPECT_FALSE(maker.app.quiet.seats().contains(2));
    EXPECT_EQ(maker.Count(lost ? Presence::kSuspect : Presence::kEvacuating), 1);
  }
}

TEST(Quiet, IsNoneThatARouterDoesNotHave) {
  AppMaker maker = SettledAndKept(3);
  maker.app.desired->routes.mapped = {{RouteNamed("app.example"), 8080}};
  PlanBoth(maker);
  ASSERT_EQ(QuietIn(maker).size(), 3u);
  maker.moment.consumers.insert(ConsumerId("another"));
  PlanBoth(maker);
  EXPECT_TRUE(QuietIn(maker).empty());
}

TEST(Quiet, IsNoneThatIsAboveTheCountByNow) {
  AppMaker maker = SettledAndKept(5);
  maker.app.desired->instances = 2;
  PlanBoth(maker);
  EXPECT_EQ(QuietIn(maker), (std::vector<int>{0, 1}));
  EXPECT_EQ(maker.Count(Presence::kRetiring), 3);
}

// An update that changes nothing but what a port of a definition is an alias of: no row of an instance, no route.
TEST(Quiet, IsNoneWhereItsDefinitionLeadsARouteElsewhere) {
  AppMaker maker = AppMaker::Settled(3);
  maker.app.desired->routes.mapped = {{RouteNamed("app.example"), 7000}};
  for (auto& [key, definition] : maker.app.definitions) definition.ports = {8080, 9090};
  for (auto& [id, lrp] : maker.app.actuals) lrp.applied_by.clear();
  maker.app.quiet.Keep();
  PlanBoth(maker);
  ASSERT_EQ(QuietIn(maker).size(), 3u);
  for (auto& [key, definition] : maker.app.definitions) definition.port_aliases = {{7000, 8080}};
  PlanBoth(maker);
  EXPECT_TRUE(QuietIn(maker).empty());
}

// A slot was quiet from a later pass on than the first.
TEST(Quiet, IsNoneByATimeBeforeTheLastPass) {
  AppMaker maker = SettledAndKept(3);
  ActualLrp& row = *maker.Of(1, Presence::kOrdinary);
  maker.app.quiet.Touch(row);
  AppMaker::Start(row, maker.moment.now);
  maker.Wait(maker.strategy().min_healthy_time);
  PlanBoth(maker);
  ASSERT_EQ(QuietIn(maker).size(), 3u);
  maker.moment.now -= seconds(1);
  PlanBoth(maker);
  EXPECT_EQ(QuietIn(maker), (std::vector<int>{0, 2}));
}

TEST(Quiet, IsNoneByAnEarlierTime) {
  AppMaker maker = SettledAndKept(3);
  maker.moment.now -= std::chrono::hours(1);
  PlanBoth(maker);
  EXPECT_TRUE(QuietIn(maker).empty());
}

// The next ones are taken from the quiet ones, and go back there when they are done.
TEST(Quiet, ARollOpensASlotAtATime) {
  AppMaker maker = SettledAndKept(20);
  maker.OpenRoll();
  PlanBoth(maker);
  EXPECT_EQ(maker.app.quiet.open(), std::set<int>{0});
  for (int round = 0; round < 200 && maker.app.roll; ++round) {
    HonestCells(maker);
    maker.Wait(seconds(6));
    PlanBoth(maker);
    EXPECT_LE(maker.app.quiet.open().size(), 3u);
  }
  EXPECT_EQ(maker.ReadyOf("v2"), 20);
  EXPECT_EQ(QuietIn(maker).size(), 20u);
}

// The old ones make room, and the floor lets none of them go: one is looked at, not all of thousands.
TEST(Quiet, OneIsOpenedWhereTheFloorKeepsAll) {
  AppMaker maker = SettledAndKept(20);
  maker.strategy().max_surge = {0};
  maker.strategy().max_unavailable = {1};
  maker.strategy().max_in_flight = {5};
  maker.OpenRoll();
  maker.app.roll->proved_at = maker.moment.now;
  ActualLrp& down = *maker.Of(0, Presence::kOrdinary);
  down.definition = DefinitionId("v2");
  down.handed_over_at = maker.moment.now;
  AppMaker::MakeUnready(down);
  (void)maker.PlanNow();
  AppEdit edit(maker.app, maker.moment, "test");
  const Plan plan = PlanRoll(edit, Reasons::kFirst);
  EXPECT_EQ(std::ranges::count(plan.reasons, rule::kFloor, &Reason::rule), 1);
  EXPECT_EQ(QuietIn(maker).size(), 19u);
}

TEST(Quiet, ALeftoverOfAnOlderIncarnationIsLookedAt) {
  AppMaker maker = SettledAndKept(2);
  const ActualId id = maker.Of(0, Presence::kOrdinary)->id;
  maker.app.desired->incarnation += 1;
  for (const char* name : {"v1", "v2"}) {
    Definition definition = maker.app.definitions.at({maker.app.desired->incarnation - 1, DefinitionId(name)});
    maker.app.definitions.emplace(DefinitionKey{maker.app.desired->incarnation, definition.id}, definition);
  }
  PlanBoth(maker);
  EXPECT_EQ(maker.app.actuals.at(id).presence, Presence::kRetiring);
  PlanBoth(maker);
  EXPECT_TRUE(maker.app.quiet.rows().contains(id));
}

// What AppEdit remembers of the slots' logs, one by one and all of them.
TEST(Quiet, AnUndonePassLeavesTheLogsAsTheyWere) {
  const auto telling = [](const AppState& app) {
    std::map<int, std::pair<int, bool>> logs;
    for (const auto& [index, log] : app.slot_logs) logs[index] = {log.failed_attempts, log.handed_over};
    return logs;
  };
  AppMaker maker = SettledAndKept(4);
  maker.OpenRoll();
  maker.app.slot_logs[0].failed_attempts = 2;
  maker.app.slot_logs[1].failed_attempts = 1;
  const auto before = telling(maker.app);
  AppEdit edit(maker.app, maker.moment, "test");
  edit.LogStep({.kind = StepKind::kAttemptFailed, .index = 1, .text = "once more"});
  edit.LogStep({.kind = StepKind::kHandedOver, .index = 2, .text = "new here"});
  edit.CountFailuresAnew();
  edit.LogStep({.kind = StepKind::kAttemptFailed, .index = 3, .text = "after all were changed"});
  edit.CloseRoll(RollState::kSuperseded, "the test");
  EXPECT_TRUE(maker.app.slot_logs.empty());
  edit.OpenRoll({.target = DefinitionId("v2")});
  edit.LogStep({.kind = StepKind::kAttemptFailed, .index = 0, .text = "of another roll"});
  edit.Undo();
  EXPECT_EQ(telling(maker.app), before);
}

}  // namespace
}  // namespace baton
