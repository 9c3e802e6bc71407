// What is asked to go while a roll goes away from it: the roll replaces it, and nothing of it is started for that.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "orchestrator/app/apps/retire.h"
#include "orchestrator/app/apps/slot.h"
#include "orchestrator/roll/transition.h"
#include "tests/orchestrator/roll/random_app.h"
#include "tests/orchestrator/roll/rolling.h"

namespace baton {
namespace {

Retirement AskRetirement(AppMaker& maker, std::optional<int> index = {}, const char* definition = "v1") {
  AppEdit edit(maker.app, maker.moment, "tester");
  Retirement retirement;
  EXPECT_TRUE(DecideRetireInstances(edit, {DefinitionId(definition), index}, retirement).ok());
  (void)edit.Finish();
  return retirement;
}

void Tell(AppMaker& maker, RollEvent event) {
  AppEdit edit(maker.app, maker.moment, "tester");
  ASSERT_TRUE(ApplyRollEvent(edit, event, "the test").ok());
  (void)edit.Finish();
}

std::set<ActualId> Of(const AppMaker& maker, const char* definition) {
  std::set<ActualId> ids;
  for (const auto& [id, lrp] : maker.app.actuals) {
    if (lrp.definition == DefinitionId(definition)) ids.insert(id);
  }
  return ids;
}

// True: nothing of the definition is there that was not there before.
bool NothingNew(const AppMaker& maker, const char* definition, const std::set<ActualId>& before) {
  for (const ActualId& id : Of(maker, definition)) {
    if (!before.contains(id)) return false;
  }
  return true;
}

TEST(RetireInRoll, TheSlotsAreTheRollsNextOnesAndNothingOfTheRetiredDefinitionIsMade) {
  AppMaker maker = Rolling(4);
  const std::set<ActualId> before = Of(maker, "v1");
  const Retirement asked = AskRetirement(maker, 2);
  EXPECT_EQ(asked.outcome, "slot 2 is the roll's next one, to v2");
  ASSERT_EQ(asked.instances.size(), 1u);
  EXPECT_EQ(asked.instances[0].way, RetiredWay::kRollNext);
  maker.PlanNow();
  ASSERT_NE(maker.Of(2, Presence::kSurge), nullptr) << "before slot 0";
  EXPECT_EQ(maker.Count(Presence::kSurge), 1) << "one at a time until there is proof";
  EXPECT_EQ(maker.Count(Presence::kEvacuating), 0);
  for (int i = 0; i < 60 && maker.app.roll; ++i) {
    maker.PlanNow();
    EXPECT_TRUE(NothingNew(maker, "v1", before));
    HonestCells(maker);
    maker.Wait(seconds(11));
  }
  EXPECT_EQ(maker.ReadyOf("v2"), 4);
}

TEST(RetireInRoll, OfThoseThatWereAskedForTheLowestIndexIsFirst) {
  AppMaker maker = Rolling(6);
  AskRetirement(maker, 4);
  AskRetirement(maker, 2);
  std::vector<int> order;
  for (int i = 0; i < 60 && maker.app.roll; ++i) {
    maker.PlanNow();
    for (const auto& [id, lrp] : maker.app.actuals) {
      if (lrp.presence == Presence::kSurge && (order.empty() || order.back() != lrp.index)) order.push_back(lrp.index);
    }
    HonestCells(maker);
    maker.Wait(seconds(11));
  }
  EXPECT_EQ(order, (std::vector<int>{2, 4, 0, 1, 3, 5}));
}

TEST(RetireInRoll, WithoutSurgeTheyMakeRoomForTheTargetWithinTheFloor) {
  AppMaker maker = Rolling(4);
  maker.strategy().max_surge = {0};
  maker.strategy().max_unavailable = {1};
  const std::set<ActualId> before = Of(maker, "v1");
  AskRetirement(maker, 3);
  maker.PlanNow();
  ASSERT_NE(maker.Of(3, Presence::kOrdinary), nullptr);
  EXPECT_EQ(maker.Of(3, Presence::kOrdinary)->definition, DefinitionId("v2"));
  EXPECT_EQ(maker.Count(Presence::kRetiring), 1);
  EXPECT_TRUE(NothingNew(maker, "v1", before));
}

TEST(RetireInRoll, WhileTheRollStandsStillTheyWaitAndThatIsSaid) {
  for (const RollEvent stop : {RollEvent::kPause, RollEvent::kFailToHold}) {
    AppMaker maker = Rolling(3);
    Tell(maker, stop);
    const std::set<ActualId> before = Of(maker, "v1");
    const Retirement asked = AskRetirement(maker, 1);
    const bool held = stop == RollEvent::kFailToHold;
    EXPECT_EQ(asked.outcome,
              held ? "slot 1 waits for the roll to v2, which is HELD: retry, cancel, or another definition"
                   : "slot 1 waits for the roll to v2, which is PAUSED: resume");
    const Plan plan = maker.PlanNow();
    EXPECT_TRUE(maker.Explains(plan, rule::kRetireWaits));
    EXPECT_EQ(maker.Count(Presence::kEvacuating) + maker.Count(Presence::kRetiring), 0);
    EXPECT_EQ(Of(maker, "v1"), before);
    Tell(maker, held ? RollEvent::kRetry : RollEvent::kResume);
    maker.PlanNow();
    EXPECT_NE(maker.Of(1, Presence::kSurge), nullptr) << "and then it is the next one";
  }
}

TEST(RetireInRoll, WhatTheRollGoesBackToIsReplacedAsEver) {
  AppMaker maker = Rolling(2);
  maker.PlanNow();
  AskRetirement(maker, 1);
  Tell(maker, RollEvent::kCancel);
  maker.Run(HonestCells, seconds(11), 60);
  EXPECT_FALSE(maker.app.roll);
  EXPECT_EQ(maker.ReadyOf("v1"), 2);
  for (const auto& [id, lrp] : maker.app.actuals) EXPECT_FALSE(lrp.retire_asked) << "it was replaced: " << id.str();
}

TEST(RetireInRoll, OnACellThatDrainsTheReplacementIsMadeAsEver) {
  AppMaker maker = Rolling(3);
  maker.Of(2, Presence::kOrdinary)->cell_id = kDrainingCell;
  EXPECT_EQ(AskRetirement(maker, 2).outcome, "slot 2 is replaced");
  maker.PlanNow();
  EXPECT_NE(maker.Of(2, Presence::kEvacuating), nullptr) << "the cell does not wait for the roll";
}

TEST(RetireInRoll, ASlotThatWasGivenUpIsReplacedWhenTheRollIsOver) {
  AppMaker maker = Rolling(2);
  maker.strategy().on_failure = OnFailure::kContinue;
  maker.app.slot_logs[0] = {.failed_attempts = 3, .last_failure_at = maker.moment.now, .handed_over = false};
  const std::set<ActualId> before = Of(maker, "v1");
  EXPECT_EQ(AskRetirement(maker).outcome,
            "slot 1 is the roll's next one, to v2; the roll has given slot 0 up: it is replaced when it is over");
  for (int i = 0; i < 60 && maker.app.roll; ++i) {
    maker.PlanNow();
    EXPECT_TRUE(!maker.app.roll || NothingNew(maker, "v1", before));
    HonestCells(maker);
    maker.Wait(seconds(11));
  }
  maker.Run(HonestCells, seconds(11), 60);
  EXPECT_EQ(maker.ReadyOf("v2"), 2) << "the active one by then";
}

TEST(RetireInRoll, WhatCrashedIsNotStartedAnewForIt) {
  AppMaker maker = Rolling(3);
  ActualLrp& lrp = *maker.Of(1, Presence::kOrdinary);
  EndStart(lrp);
  lrp.state = LrpState::kCrashed;
  lrp.since = maker.moment.now;
  lrp.crash_count = 50;
  const std::set<ActualId> before = Of(maker, "v1");
  AskRetirement(maker, 1);
  maker.PlanNow();
  EXPECT_NE(maker.Of(1, Presence::kSurge), nullptr);
  EXPECT_EQ(Of(maker, "v1"), before);
  EXPECT_EQ(maker.Of(1, Presence::kOrdinary)->state, LrpState::kCrashed);
}

TEST(RetireInRoll, WhatIsNotRoutableIsLeftToTheRollToo) {
  AppMaker maker = Rolling(3);
  ActualLrp& lrp = *maker.Of(2, Presence::kOrdinary);
  lrp.state = LrpState::kClaimed;
  AppMaker::MakeUnready(lrp);
  const std::set<ActualId> before = Of(maker, "v1");
  AskRetirement(maker, 2);
  maker.PlanNow();
  EXPECT_NE(maker.Of(2, Presence::kSurge), nullptr);
  EXPECT_EQ(Of(maker, "v1"), before);
}

TEST(RetireInRoll, ACellThatEvacuatesItsInstancesDoesNotWaitForARollThatStandsStill) {
  AppMaker maker = Rolling(2);
  Tell(maker, RollEvent::kPause);
  const ActualLrp& lrp = *maker.Of(1, Presence::kOrdinary);
  bool keep = false;
  AppEdit edit(maker.app, maker.moment, "cell");
  EXPECT_TRUE(DecideEvacuateSlot(edit, {1, lrp.instance_guid, lrp.cell_id}, keep).ok());
  (void)edit.Finish();
  EXPECT_TRUE(keep);
  maker.PlanNow();
  EXPECT_NE(maker.Of(1, Presence::kEvacuating), nullptr);
  ASSERT_NE(maker.Of(1, Presence::kOrdinary), nullptr);
  EXPECT_EQ(maker.Of(1, Presence::kOrdinary)->state, LrpState::kUnclaimed);
}

TEST(RetireAnswer, SaysWhatBecomesOfEach) {
  AppMaker settled = AppMaker::Settled(5);
  settled.strategy().max_in_flight = {2};
  settled.strategy().max_surge = {2};
  EXPECT_EQ(AskRetirement(settled).outcome, "slots 0 to 4 are replaced, 2 at a time");
  EXPECT_EQ(AskRetirement(settled, 3).outcome, "slot 3 is replaced");
  AppMaker crashed = AppMaker::Settled(4);
  crashed.Of(2, Presence::kOrdinary)->state = LrpState::kCrashed;
  EXPECT_EQ(AskRetirement(crashed).outcome,
            "slots 0, 1, 3 are replaced, 1 at a time; slot 2 had crashed: it is made anew at once");
  AppMaker rolling = Rolling(3);
  rolling.PlanNow();
  AppMaker::Start(*rolling.Of(0, Presence::kSurge), rolling.moment.now);
  EXPECT_EQ(AskRetirement(rolling, {}, "v2").outcome, "the newcomer of slot 0 is withdrawn, and tried anew");
  EXPECT_TRUE(AskRetirement(settled, {}, "v2").instances.empty());
}

TEST(RetireInRoll, OfManyAppsNoneGetsWhatItWasAskedToBeRidOf) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    AppMaker app = RandomApp(dice);
    for (int round = 0; round < 30 && app.app.roll; ++round) {
      std::map<int, DefinitionId> asked;  // slots whose instance is left to the roll
      for (const auto& [id, lrp] : app.app.actuals) {
        const bool away = lrp.definition != Goal(*app.app.roll) && lrp.presence == Presence::kOrdinary;
        const bool well =
            MayRun(lrp) && lrp.routable && !app.moment.Lost(lrp.cell_id) && !app.moment.Draining(lrp.cell_id);
        if (lrp.retire_asked && away && well) asked.emplace(lrp.index, lrp.definition);
      }
      // A cell that comes back or drains is a reason of its own.
      for (const auto& [id, lrp] : app.app.actuals) {
        if (lrp.presence == Presence::kSuspect) asked.erase(lrp.index);
      }
      const std::map<ActualId, ActualLrp> before = app.app.actuals;
      const DefinitionId goal = Goal(*app.app.roll);
      app.PlanNow();
      if (!app.app.roll || Goal(*app.app.roll) != goal) break;
      for (const auto& [id, lrp] : app.app.actuals) {
        const auto of = asked.find(lrp.index);
        EXPECT_FALSE(!before.contains(id) && of != asked.end() && of->second == lrp.definition)
            << "slot " << lrp.index << " gets what it was asked to be rid of";
      }
      if (::testing::Test::HasFailure()) return;
      DisturbMore(app, dice);
    }
  }
}

}  // namespace
}  // namespace baton
