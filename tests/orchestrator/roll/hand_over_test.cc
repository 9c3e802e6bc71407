// Proof, hand-over, drain, stop, and the end of a roll.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

// A roll with its first newcomer running and routable since now.
class HandOverTest : public ::testing::Test {
 protected:
  HandOverTest() : maker(2) {
    maker.app.desired->routes.mapped = {{RouteNamed("app.example"), 8080}};
    maker.RunAll("v1");
    maker.OpenRoll();
    maker.PlanNow();
    newcomer = maker.Of(0, Presence::kSurge)->id;
    AppMaker::Start(row(), maker.moment.now);
  }
  ActualLrp& row() { return maker.app.actuals.at(newcomer); }

  AppMaker maker;
  ActualId newcomer;
};

TEST_F(HandOverTest, NotBeforeMinHealthyTimeWithoutABreak) {
  maker.Wait(maker.strategy().min_healthy_time - seconds(1));
  const Plan plan = maker.PlanNow();
  EXPECT_EQ(row().presence, Presence::kSurge);
  EXPECT_TRUE(maker.Explains(plan, rule::kMinHealthy));
  ASSERT_TRUE(plan.wake_up_at);
  EXPECT_EQ(*plan.wake_up_at, maker.moment.now + seconds(1));
  row().routable_since = maker.moment.now;  // it was away for a moment
  maker.Wait(seconds(2));
  maker.PlanNow();
  EXPECT_EQ(row().presence, Presence::kSurge) << "its time begins anew";
}

TEST_F(HandOverTest, NotBeforeEveryRouterHasAppliedItsEndpoint) {
  row().applied_by.clear();
  maker.Wait(seconds(60));
  EXPECT_TRUE(maker.Explains(maker.PlanNow(), rule::kUnapplied));
  EXPECT_EQ(row().presence, Presence::kSurge);
  row().applied_by = maker.moment.consumers;
  maker.PlanNow();
  EXPECT_EQ(row().presence, Presence::kOrdinary);
}

// B5: whoever has a router's certificate makes up a name, acknowledges nothing, and held up every roll.
TEST_F(HandOverTest, ARouterOfANewNameIsWaitedForByChangesThatBeginLater) {
  const ConsumerId stranger("stranger");
  maker.moment.consumers.insert(stranger);
  maker.Wait(seconds(60));
  EXPECT_TRUE(maker.Explains(maker.PlanNow(), rule::kUnapplied)) << "its name is known";
  maker.moment.counted_since[stranger] = maker.app.roll->opened_at;
  EXPECT_TRUE(maker.Explains(maker.PlanNow(), rule::kUnapplied)) << "it served when the roll began";
  maker.moment.counted_since[stranger] = maker.app.roll->opened_at + milliseconds(1);
  maker.PlanNow();
  EXPECT_EQ(row().presence, Presence::kOrdinary);
}

TEST_F(HandOverTest, ARouterOfANewNameIsWaitedForUntilTheOldOneHasDrained) {
  const ConsumerId stranger("stranger");
  maker.moment.consumers.insert(stranger);
  maker.moment.counted_since[stranger] = TimePoint::max();
  maker.Wait(maker.strategy().min_healthy_time);
  maker.PlanNow();
  ActualLrp& old = *maker.Of(0, Presence::kRetiring);
  old.drained_by = {row().applied_by.begin(), row().applied_by.end()};
  EXPECT_TRUE(maker.PlanNow().to_stop.empty()) << "it may send requests there";
  maker.Wait(maker.strategy().drain_timeout);
  EXPECT_EQ(maker.PlanNow().to_stop.size(), 1U);
}

TEST_F(HandOverTest, TheNewcomerTakesTheSlotAndTheOldOneDrains) {
  maker.Wait(maker.strategy().min_healthy_time);
  const Plan plan = maker.PlanNow();
  EXPECT_EQ(row().presence, Presence::kOrdinary);
  EXPECT_EQ(maker.Count(Presence::kRetiring), 1);
  EXPECT_TRUE(plan.to_stop.empty()) << "nobody has said that its connections are gone";
  EXPECT_TRUE(maker.app.roll->proved_at);
}

TEST_F(HandOverTest, TheOldOneIsStoppedWhenEveryRouterSaysSo) {
  maker.Wait(maker.strategy().min_healthy_time);
  maker.PlanNow();
  ActualLrp& old = *maker.Of(0, Presence::kRetiring);
  old.drained_by = maker.moment.consumers;
  const Plan plan = maker.PlanNow();
  EXPECT_TRUE(old.stop_ordered_at) << "committed before the order goes out";
  EXPECT_EQ(plan.to_stop, std::vector<ActualId>{old.id});
}

TEST_F(HandOverTest, OrWhenDrainTimeoutHasPassedButNeverBeforeDrainMin) {
  maker.strategy().drain_min = seconds(5);
  maker.Wait(maker.strategy().min_healthy_time);
  maker.PlanNow();
  const ActualId old = maker.Of(0, Presence::kRetiring)->id;
  maker.app.actuals.at(old).drained_by = maker.moment.consumers;
  EXPECT_TRUE(maker.PlanNow().to_stop.empty()) << "drain_min";
  maker.app.actuals.at(old).drained_by.clear();
  maker.Wait(maker.strategy().drain_timeout - seconds(1));
  EXPECT_TRUE(maker.PlanNow().to_stop.empty());
  maker.Wait(seconds(1));
  EXPECT_EQ(maker.PlanNow().to_stop.size(), 1u) << "drain_timeout";
}

TEST_F(HandOverTest, WithoutARegisteredRouterTheDrainTimeoutPassesInFull) {
  maker.moment.consumers.clear();
  maker.Wait(maker.strategy().min_healthy_time);
  maker.PlanNow();
  ASSERT_EQ(maker.Count(Presence::kRetiring), 1);
  maker.Wait(maker.strategy().drain_timeout - seconds(1));
  EXPECT_TRUE(maker.PlanNow().to_stop.empty());
}

// A router whose stream was cut does not know that the old instance drains, and sends requests there.
class SilentRouterTest : public HandOverTest {
 protected:
  SilentRouterTest() {
    maker.Wait(maker.strategy().min_healthy_time);
    maker.PlanNow();
    router = *maker.moment.consumers.begin();
    maker.moment.heard[router] = maker.moment.now;
    maker.Wait(maker.strategy().drain_timeout);
  }
  std::string StopText() {
    EXPECT_EQ(maker.PlanNow().to_stop.size(), 1u);
    for (const RollStep& step : maker.steps) {
      if (step.kind == StepKind::kStopOrdered) return step.text;
    }
    return "no step";
  }
  ConsumerId router;
};

TEST_F(SilentRouterTest, ItIsWaitedForAfterDrainTimeout) {
  const Plan plan = maker.PlanNow();
  EXPECT_TRUE(plan.to_stop.empty());
  ASSERT_TRUE(plan.wake_up_at) << "its word wakes nobody";
  EXPECT_LE(*plan.wake_up_at, maker.moment.now + seconds(1));
  const auto waits = std::ranges::find(plan.reasons, rule::kDraining, &Reason::rule);
  ASSERT_NE(waits, plan.reasons.end());
  EXPECT_THAT(waits->text, ::testing::HasSubstr("nothing was heard since drain_timeout passed of " + router.str()));
}

TEST_F(SilentRouterTest, HeardOfAgainItIsWaitedForNoMoreAndTheStepNamesIt) {
  maker.moment.heard[router] = maker.moment.now;
  EXPECT_EQ(StopText(), "drain_timeout has passed, not confirmed by " + router.str());
}

TEST_F(SilentRouterTest, WhenItsLeaseEndsItIsWaitedForNoMore) {
  maker.moment.consumers.clear();
  EXPECT_EQ(StopText(), "drain_timeout has passed, and no router is registered");
}

TEST_F(SilentRouterTest, WhatItHasConfirmedBeforeItFellSilentIsConfirmed) {
  maker.Of(0, Presence::kRetiring)->drained_by = {router};
  EXPECT_EQ(StopText(), "its connections have drained");
}

TEST_F(HandOverTest, AStopThatIsNotReportedIsOverdueAndCountsNoMore) {
  maker.Wait(maker.strategy().min_healthy_time);
  maker.PlanNow();
  maker.Of(0, Presence::kRetiring)->drained_by = maker.moment.consumers;
  maker.PlanNow();
  EXPECT_EQ(maker.Count(Presence::kSurge), 0) << "the old one of slot 0 is still there";
  maker.Wait(maker.strategy().stop_timeout);
  EXPECT_EQ(maker.PlanNow().overdue.size(), 1u);
  EXPECT_EQ(maker.Count(Presence::kSurge), 1) << "slot 1 goes on";
}

TEST_F(HandOverTest, ASuccessorThatDiesIsReplacedAndNothingIsPutBack) {
  maker.Wait(maker.strategy().min_healthy_time);
  maker.PlanNow();
  row().state = LrpState::kCrashed;
  row().routable = false;
  row().routable_since.reset();
  row().crash_count = 1;
  row().down_since = maker.moment.now;
  maker.Wait(seconds(1));
  maker.PlanNow();
  ASSERT_NE(maker.Of(0, Presence::kOrdinary), nullptr);
  EXPECT_EQ(maker.Of(0, Presence::kOrdinary)->definition, DefinitionId("v2"));
  EXPECT_EQ(maker.Count(Presence::kRetiring), 1) << "the old one goes on draining";
}

TEST_F(HandOverTest, ARollEndsWhenEverySlotIsReadyAndProvesItsDefinition) {
  maker.Run(HonestCells, seconds(6), 30);
  EXPECT_FALSE(maker.app.roll);
  EXPECT_EQ(maker.ReadyOf("v2"), 2);
  EXPECT_EQ(maker.app.actuals.size(), 2u);
  EXPECT_EQ(maker.app.desired->healthy, DefinitionId("v2"));
  EXPECT_TRUE(maker.app.definitions.at({1, DefinitionId("v2")}).proven_at);
  ASSERT_FALSE(maker.app.past_rolls.empty());
  EXPECT_EQ(maker.app.past_rolls.front().state, RollState::kCompleted);
}

TEST_F(HandOverTest, BakeTimeKeepsItOpenAfterTheLastHandOver) {
  maker.strategy().bake_time = seconds(600);
  maker.Run(HonestCells, seconds(6), 30);
  ASSERT_TRUE(maker.app.roll);
  EXPECT_EQ(maker.ReadyOf("v2"), 2);
  EXPECT_TRUE(maker.Explains(maker.PlanNow(), rule::kBake));
  maker.Wait(seconds(600));
  maker.PlanNow();
  EXPECT_FALSE(maker.app.roll);
}

}  // namespace
}  // namespace baton
