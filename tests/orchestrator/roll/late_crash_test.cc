// A version whose instances die after they were let in: the roll stops where it hurts, goes back, and is not over before
// what crashed has shown that it can live.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/roll/rules/handed_over.h"
#include "orchestrator/roll/transition.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

void Crash(AppMaker& maker, const ActualId& id) {
  const ActualLrp lrp = maker.app.actuals.at(id);
  AppEdit edit(maker.app, maker.moment, "cell");
  ASSERT_TRUE(DecideCrash(edit, {id, lrp.instance_guid, lrp.cell_id}, "exit status 7"));
  (void)edit.Finish();
}

class LateCrash : public ::testing::Test {
 protected:
  // Every instance of v2 crashes half a second after min_healthy_time, in these slots.
  void Cells(int slots) {
    HonestCells(maker);
    std::vector<ActualId> dying;
    for (const auto& [id, lrp] : maker.app.actuals) {
      const bool due = lrp.routable_since && *lrp.routable_since + milliseconds(10500) <= maker.moment.now;
      if (lrp.definition == DefinitionId("v2") && lrp.index < slots && lrp.presence != Presence::kRetiring && due) {
        dying.push_back(id);
      }
    }
    for (const ActualId& id : dying) Crash(maker, id);
  }
  // Until the roll is over or so much time has passed.
  void Roll(int slots, Duration most) {
    least_served = maker.app.desired->instances;
    const TimePoint end = maker.moment.now + most;
    while (maker.app.roll && maker.moment.now < end) {
      maker.PlanNow();
      Cells(slots);
      if (maker.app.roll) reason = maker.app.roll->reason;
      maker.PlanNow();
      least_served = std::min(least_served, Progress(maker.app, maker.moment).served);
      maker.Wait(milliseconds(500));
    }
  }
  static AppMaker Open(int instances) {
    AppMaker made(instances);
    made.RunAll("v1");
    made.OpenRoll();
    return made;
  }
  // Slot 0 is handed over, and its instance has crashed so often since.
  void HandOverAndCrash(int crashes) {
    while (!maker.app.slot_logs[0].handed_over) {
      maker.PlanNow();
      HonestCells(maker);
      maker.Wait(seconds(1));
    }
    for (int i = 0; i < crashes; ++i) {
      Crash(maker, maker.Of(0, Presence::kOrdinary)->id);
      maker.Wait(seconds(4));
      maker.PlanNow();
      if (i + 1 < crashes) HonestCells(maker);
    }
  }
  RollState Ended() const { return maker.app.past_rolls.front().state; }

  AppMaker maker = Open(4);
  int least_served = 0;
  std::string reason;
};

TEST_F(LateCrash, OfEveryInstanceCostsOneSlotAndGoesBack) {
  Roll(4, std::chrono::minutes(10));
  ASSERT_FALSE(maker.app.roll);
  EXPECT_EQ(Ended(), RollState::kRolledBack);
  EXPECT_EQ(least_served, 3);
  EXPECT_THAT(reason, HasSubstr("slot 0"));
  EXPECT_THAT(reason, HasSubstr("exit status 7"));
  EXPECT_FALSE(maker.app.definitions.at({1, DefinitionId("v2")}).proven_at);
}

TEST_F(LateCrash, OfOneSlotIsNotCompleted) {
  Roll(1, std::chrono::minutes(10));
  ASSERT_FALSE(maker.app.roll);
  EXPECT_EQ(Ended(), RollState::kRolledBack);
}

TEST_F(LateCrash, OfTheOnlyInstanceGoesBack) {
  maker.app.desired->instances = 1;
  Roll(1, std::chrono::minutes(10));
  ASSERT_FALSE(maker.app.roll);
  EXPECT_EQ(Ended(), RollState::kRolledBack);
  EXPECT_EQ(maker.app.desired->healthy, DefinitionId("v1"));
}

TEST_F(LateCrash, StopsTheRollUntilTheSlotIsWell) {
  HandOverAndCrash(1);
  const Plan plan = maker.PlanNow();
  EXPECT_TRUE(maker.Explains(plan, rule::kHandedOver));
  EXPECT_EQ(maker.Count(Presence::kSurge), 0);
  HonestCells(maker);  // started again
  maker.Wait(seconds(10));
  EXPECT_TRUE(maker.Explains(maker.PlanNow(), rule::kSteady)) << "ready, and not for long enough after a crash";
  EXPECT_EQ(maker.Count(Presence::kSurge), 0);
  maker.Wait(seconds(10));
  EXPECT_FALSE(maker.Explains(maker.PlanNow(), rule::kHandedOver));
  EXPECT_EQ(maker.Count(Presence::kSurge), 1);
}

TEST_F(LateCrash, OfSoManySlotsAsMayFailStopsNothing) {
  maker.strategy().max_failed_slots = 1;
  HandOverAndCrash(1);
  EXPECT_EQ(maker.Count(Presence::kSurge), 1);
}

TEST_F(LateCrash, OfAnOldSlotStopsNothing) {
  HandOverAndCrash(0);
  maker.PlanNow();
  HonestCells(maker);  // what drained is gone
  Crash(maker, maker.Of(3, Presence::kOrdinary)->id);
  EXPECT_FALSE(maker.Explains(maker.PlanNow(), rule::kHandedOver));
  EXPECT_EQ(maker.Count(Presence::kSurge), 1);
}

TEST_F(LateCrash, NeverStopsTheWayBack) {
  HandOverAndCrash(1);
  AppEdit edit(maker.app, maker.moment, "test");
  ASSERT_TRUE(ApplyRollEvent(edit, RollEvent::kCancel, "the test"));
  (void)edit.Finish();
  Roll(0, std::chrono::minutes(5));
  ASSERT_FALSE(maker.app.roll);
  EXPECT_EQ(Ended(), RollState::kRolledBack);
  EXPECT_EQ(maker.ReadyOf("v1"), 4);
}

TEST_F(LateCrash, OfASlotThatIsGivenUpGoesBackToTheSource) {
  maker.strategy().on_failure = OnFailure::kContinue;
  Roll(1, std::chrono::minutes(10));
  ASSERT_FALSE(maker.app.roll);
  EXPECT_EQ(Ended(), RollState::kCompletedWithGaps);
  EXPECT_EQ(maker.ReadyOf("v1"), 1);
  EXPECT_EQ(maker.ReadyOf("v2"), 3);
}

TEST_F(LateCrash, DoublesTheTimeUpToTheProgressDeadline) {
  const Strategy strategy;
  EXPECT_EQ(SteadyTime(strategy, 0), seconds(10));
  EXPECT_EQ(SteadyTime(strategy, 2), seconds(40));
  for (int crashes = 10; crashes < 200; ++crashes) EXPECT_EQ(SteadyTime(strategy, crashes), strategy.progress_deadline);
}

TEST_F(LateCrash, IsWaitedForAsLongAsMinHealthyTimeAtTheEnd) {
  maker.app.desired->instances = 1;
  HandOverAndCrash(0);
  EXPECT_TRUE(maker.Explains(maker.PlanNow(), rule::kBake));
  maker.Wait(seconds(10));
  maker.PlanNow();
  EXPECT_FALSE(maker.app.roll);
}

// 6 -> 1 -> 6 while what was scaled away drains still.
TEST(Ceiling, ASlotThatCameByScalingWaitsForRoom) {
  AppMaker maker = AppMaker::Settled(6);
  maker.app.desired->routes.mapped = {{RouteNamed("app.example"), 8080}};
  for (int round = 0; round < 3; ++round) {
    maker.app.desired->instances = 1;
    maker.PlanNow();
    maker.app.desired->instances = 6;
    const Plan plan = maker.PlanNow();
    EXPECT_TRUE(maker.Explains(plan, rule::kCeiling));
    EXPECT_LE(maker.app.actuals.size(), 7u);
  }
  maker.Run(HonestCells, seconds(5), 20);
  EXPECT_EQ(maker.ReadyOf("v1"), 6);
}

TEST(Unproven, ANewcomerWhoseOldOneIsGoneIsNoProof) {
  AppMaker maker(2);
  maker.RunAll("v1");
  maker.OpenRoll();
  maker.app.definitions.at({1, DefinitionId("v1")}).proven_at.reset();
  while (!maker.Of(1, Presence::kSurge)) {  // slot 0 is handed over
    maker.PlanNow();
    HonestCells(maker);
    maker.Wait(seconds(2));
  }
  AppMaker::Start(*maker.Of(1, Presence::kSurge), maker.moment.now);
  const TimePoint before = *maker.app.roll->last_hand_over_at;
  std::erase_if(maker.app.actuals, [](const auto& entry) { return entry.second.definition == DefinitionId("v1"); });
  const Plan plan = maker.PlanNow();
  EXPECT_TRUE(maker.Explains(plan, rule::kUnproven));
  ASSERT_TRUE(maker.Of(1, Presence::kOrdinary));
  EXPECT_EQ(maker.Of(1, Presence::kOrdinary)->definition, DefinitionId("v2"));
  EXPECT_FALSE(maker.app.slot_logs[1].handed_over);
  EXPECT_EQ(maker.app.roll->last_hand_over_at, before);
  EXPECT_FALSE(maker.app.definitions.at({1, DefinitionId("v2")}).proven_at);
}

}  // namespace
}  // namespace baton
