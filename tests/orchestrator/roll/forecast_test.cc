// What a forecast says is what the planner does.
#include "orchestrator/app/apps/forecast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "orchestrator/app/apps/update.h"
#include "orchestrator/roll/transition.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Forecasts : public ::testing::Test {
 protected:
  Forecasts() {
    maker.app.desired->active = DefinitionId("v1");
    maker.strategy().drain_timeout = seconds(5);
    for (auto& [key, definition] : maker.app.definitions) definition.resources = {100, 10, 0, 1};
    maker.RunAll("v1");
  }

  // To v2, with a cell of so much memory.
  Result<Forecast> ToV2(std::int64_t memory_mb) {
    CellOffer cell{.id = CellId("cell-0"), .free = {memory_mb, 10000, 0, 100}, .stacks = {""}};
    AppState copy = maker.app;
    return MakeForecast(copy, maker.moment, [](AppEdit& edit) { return SwitchTo(edit, DefinitionId("v2"), false); },
                        {cell}, {.start = seconds(3), .stop = seconds(1), .measured = 4});
  }

  AppMaker maker{3};
};

TEST_F(Forecasts, GoToTheEndInTheTimesThatAreAssumed) {
  const auto forecast = ToV2(1000);
  ASSERT_TRUE(forecast);
  EXPECT_TRUE(forecast->opens_roll);
  EXPECT_EQ(forecast->ends, RollState::kCompleted);
  EXPECT_EQ(forecast->restarts, 3);
  ASSERT_TRUE(forecast->takes);
  // Each slot: a start, min_healthy_time and, before the next one may surge, a stop.
  const Duration slot = seconds(3) + maker.strategy().min_healthy_time + seconds(1);
  const Duration bake = maker.strategy().min_healthy_time;
  EXPECT_GE(*forecast->takes, 3 * slot - seconds(1) + bake - seconds(1));
  EXPECT_LE(*forecast->takes, 3 * slot + seconds(1) + bake);
  EXPECT_EQ(forecast->peak_instances, 4);
  EXPECT_EQ(forecast->peak_memory_mb, 400);
  EXPECT_EQ(forecast->memory_now_mb, 300);
  EXPECT_EQ(forecast->memory_free_mb, 1000);
  EXPECT_EQ(forecast->least_served, 3);
  EXPECT_THAT(forecast->warnings, IsEmpty());
  EXPECT_EQ(forecast->steps.front().kind, StepKind::kOpened);
  EXPECT_EQ(forecast->steps.front().at, TimePoint());
  EXPECT_EQ(std::ranges::count(forecast->steps, StepKind::kHandedOver, &RollStep::kind), 3);
  EXPECT_GE(std::ranges::count(forecast->steps, StepKind::kRetired, &RollStep::kind), 2) << "the last after its end";
}

// It is in what a stop takes; drain_timeout is only for routers that say nothing.
TEST_F(Forecasts, ADrainIsNotWaitedForTwice) {
  maker.app.desired->routes.mapped = {{RouteNamed("a.example"), 8080}};
  const auto forecast = ToV2(1000);
  ASSERT_TRUE(forecast && forecast->takes);
  EXPECT_LE(*forecast->takes, 3 * (seconds(3) + maker.strategy().min_healthy_time + seconds(1)) + seconds(1) +
                                  BakeTime(maker.strategy()));
}

TEST_F(Forecasts, WhatIsScaledAwayIsNotStartedAnew) {
  AppState copy = maker.app;
  UpdateRequest request;
  request.instances = 1;
  const auto forecast =
      MakeForecast(copy, maker.moment, [&](AppEdit& edit) { return DecideUpdate(edit, request); }, {}, {});
  ASSERT_TRUE(forecast);
  EXPECT_FALSE(forecast->opens_roll);
  EXPECT_EQ(forecast->restarts, 0);
  EXPECT_EQ(forecast->least_served, 1);
}

TEST_F(Forecasts, ChangeNothing) {
  const AppState before = maker.app;
  ASSERT_TRUE(ToV2(1000));
  EXPECT_EQ(maker.app.actuals, before.actuals);
  EXPECT_EQ(maker.app.desired, before.desired);
}

TEST_F(Forecasts, ASurgeThatNoCellCanTakeIsSaid) {
  const auto forecast = ToV2(50);
  ASSERT_TRUE(forecast);
  EXPECT_FALSE(forecast->takes);
  EXPECT_THAT(forecast->warnings, Contains(HasSubstr("needs 100 MB of memory, has 50")));
  EXPECT_THAT(forecast->warnings, Contains(HasSubstr("it would not come to an end")));
}

TEST_F(Forecasts, TheRoomThatAnOldInstanceLeavesIsThereForTheNext) {
  const auto forecast = ToV2(100);  // for one beside those that run
  ASSERT_TRUE(forecast);
  EXPECT_FALSE(forecast->takes) << "the old ones' cell has no offer: their room is nobody's";
  for (auto& [id, lrp] : maker.app.actuals) lrp.cell_id = CellId("cell-0");
  const auto with_room = ToV2(100);
  ASSERT_TRUE(with_room);
  EXPECT_TRUE(with_room->takes);
}

TEST_F(Forecasts, StagesThatWaitForSomebodyAreSaid) {
  maker.strategy().stages = {{{1}, std::nullopt}, {{2}, seconds(100)}};
  const auto forecast = ToV2(1000);
  ASSERT_TRUE(forecast);
  ASSERT_TRUE(forecast->takes);
  EXPECT_GT(*forecast->takes, seconds(100)) << "a wait is time";
  EXPECT_THAT(forecast->warnings, Contains(HasSubstr("it waits at stage 1 for a promotion")));
}

TEST_F(Forecasts, PortsThatNoRouteFitsAreSaid) {
  maker.app.desired->routes.mapped = {{RouteNamed("a.example"), 8080}};
  maker.app.definitions.at({1, DefinitionId("v2")}).ports = {9090, 7070};
  const auto forecast = ToV2(1000);
  ASSERT_TRUE(forecast);
  EXPECT_THAT(forecast->warnings, Contains(HasSubstr("no port of v2 fits the route a.example")));
  EXPECT_THAT(forecast->warnings, Contains("no route leads to port 9090 of v2"));
}

TEST_F(Forecasts, ARefusedUpdateIsRefusedHereToo) {
  AppState copy = maker.app;
  const auto forecast = MakeForecast(copy, maker.moment,
                                     [](AppEdit&) {
                                       return Status(Error{ErrorKind::kAborted, "read again", {}});
                                     },
                                     {}, {});
  ASSERT_FALSE(forecast);
  EXPECT_EQ(forecast.error().kind, ErrorKind::kAborted);
}

// `apply` prints what changes: the passes of the planner were made for nothing.
TEST_F(Forecasts, ADecisionIsTheUpdateAndNoPassAfterIt) {
  AppState after = maker.app;
  const auto decision = MakeDecision(after, maker.moment, [](AppEdit& edit) { return SwitchTo(edit, DefinitionId("v2"), false); });
  ASSERT_TRUE(decision);
  EXPECT_TRUE(decision->opens_roll);
  EXPECT_EQ(decision->target, DefinitionId("v2"));
  EXPECT_EQ(after.desired->active, DefinitionId("v2"));
  EXPECT_EQ(after.actuals, maker.app.actuals);
  EXPECT_EQ(decision->steps.size(), 1u) << "opened";
  EXPECT_THAT(decision->warnings, IsEmpty());
}

// An open roll that is left to itself.
TEST_F(Forecasts, OfAnOpenRollAreWhatIsStillToCome) {
  const CellOffer cell{.id = CellId("cell-0"), .free = {1000, 10000, 0, 100}, .stacks = {""}};
  const ForecastAssumptions assumed{.start = seconds(3), .stop = seconds(1), .measured = 4};
  AppState open = maker.app;
  const auto opens = [](AppEdit& edit) { return SwitchTo(edit, DefinitionId("v2"), false); };
  const auto whole = MakeForecast(open, maker.moment, opens, {cell}, assumed);
  ASSERT_TRUE(whole && open.roll);
  const auto still = [](AppEdit&) { return Status(Done{}); };
  const auto rest = MakeForecast(open, maker.moment, still, {cell}, assumed);
  ASSERT_TRUE(rest);
  EXPECT_FALSE(rest->opens_roll);
  EXPECT_EQ(rest->target, DefinitionId("v2"));
  EXPECT_EQ(rest->ends, RollState::kCompleted);
  EXPECT_EQ(rest->takes, whole->takes);
  EXPECT_EQ(rest->steps.size() + 1, whole->steps.size()) << "all but opened";
}

// Cells that take the times of a forecast for a start and a stop; the router has a newcomer a little later.
void TimelyCells(AppMaker& maker) {
  const TimePoint now = maker.moment.now;
  std::vector<ActualId> gone;
  for (auto& [id, lrp] : maker.app.actuals) {
    if (lrp.state == LrpState::kUnclaimed) {
      lrp.state = LrpState::kClaimed;
      lrp.cell_id = CellId("cell-0");
      lrp.instance_guid = InstanceGuid("run-of-" + id.str());
      lrp.claimed_at = now;
    } else if (lrp.state == LrpState::kClaimed && now - *lrp.claimed_at >= seconds(2)) {
      AppMaker::Start(lrp, *lrp.claimed_at);
      AppMaker::MakeUnready(lrp);
      lrp.applied_by.clear();
    } else if (lrp.state == LrpState::kRunning && !lrp.routable && now - *lrp.claimed_at >= seconds(3)) {
      lrp.routable = true;
      lrp.routable_since = now;
    } else if (lrp.state == LrpState::kRunning && lrp.routable && now - *lrp.routable_since >= milliseconds(200)) {
      lrp.applied_by = maker.moment.consumers;
    }
    if (lrp.presence == Presence::kRetiring) lrp.drained_by = maker.moment.consumers;
    if (lrp.stop_ordered_at && now - *lrp.retiring_since >= seconds(1)) gone.push_back(id);
  }
  for (const ActualId& id : gone) maker.app.actuals.erase(id);
}

// Newcomers that are claimed, started, ready and known to routers; old instances that drain or were told to stop.
TEST_F(Forecasts, FromWhateverInstantOfARollSayTheSameEnd) {
  maker.app.desired->routes.mapped = {{RouteNamed("a.example"), 8080}};
  const CellOffer cell{.id = CellId("cell-0"), .free = {1000, 10000, 0, 100}, .stacks = {""}};
  const auto still = [](AppEdit&) { return Status(Done{}); };
  maker.app.desired->active = DefinitionId("v2");
  maker.OpenRoll();
  std::vector<TimePoint> ends;
  const auto over = [&] { return !maker.app.roll && maker.Count(Presence::kRetiring) == 0; };
  for (int round = 0; round < 1000 && !over(); ++round) {
    if (round % 3 == 0) {
      AppState copy = maker.app;
      const auto rest = MakeForecast(copy, maker.moment, still, {cell}, {.start = seconds(3), .stop = seconds(1)});
      ASSERT_TRUE(rest && rest->takes) << "round " << round << testing::PrintToString(rest->warnings);
      ends.push_back(maker.moment.now + *rest->takes);
    }
    maker.PlanNow();
    TimelyCells(maker);
    maker.Wait(milliseconds(100));
  }
  ASSERT_TRUE(over());
  ASSERT_GT(ends.size(), 20u);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    // The rest of what each of three slots waits for: a tick of the test's, and the router.
    EXPECT_LE(std::chrono::abs(maker.moment.now - ends[i]), milliseconds(2000)) << "of forecast " << i;
  }
}

TEST_F(Forecasts, OfARollThatIsLeftAloneEndAtAStageThatWaitsForSomebody) {
  maker.strategy().stages = {{{1}, std::nullopt}, {{2}, seconds(100)}};
  const CellOffer cell{.id = CellId("cell-0"), .free = {1000, 10000, 0, 100}, .stacks = {""}};
  AppState copy = maker.app;
  const auto opens = [](AppEdit& edit) { return SwitchTo(edit, DefinitionId("v2"), false); };
  const auto forecast = MakeForecast(copy, maker.moment, opens, {cell}, {}, kForecastLeftAlone);
  ASSERT_TRUE(forecast);
  EXPECT_FALSE(forecast->takes);
  EXPECT_EQ(std::ranges::count(forecast->steps, StepKind::kHandedOver, &RollStep::kind), 1);
  EXPECT_THAT(forecast->warnings, testing::ElementsAre("it waits at stage 1 for a promotion"));
}

// GetRoll shows them to nobody but the app's controllers.
TEST_F(Forecasts, SayNothingOfWhatAnAppWroteBeforeItCrashed) {
  maker.app.desired->active = DefinitionId("v2");
  maker.OpenRoll();
  AppEdit edit(maker.app, maker.moment, "test");
  ASSERT_TRUE(ApplyRollEvent(edit, RollEvent::kFailToHold, "slot 0: it fell over (exit status 3)\npanic: password"));
  edit.Finish();
  AppState copy = maker.app;
  const auto forecast = MakeForecast(copy, maker.moment, [](AppEdit&) { return Status(Done{}); }, {}, {});
  ASSERT_TRUE(forecast);
  EXPECT_THAT(forecast->warnings, Contains(HasSubstr("it fell over (exit status 3)")));
  EXPECT_THAT(testing::PrintToString(forecast->warnings), testing::Not(HasSubstr("password")));
}

TEST(ForecastWork, EndsAndSaysSo) {
  AppMaker maker{30};
  maker.app.desired->active = DefinitionId("v1");
  maker.RunAll("v1");
  const CellOffer cell{.id = CellId("cell-0"), .free = {1000, 10000, 0, 100}, .stacks = {""}};
  const auto opens = [](AppEdit& edit) { return SwitchTo(edit, DefinitionId("v2"), false); };
  const auto forecast = [&](int work) {
    AppState copy = maker.app;
    return *MakeForecast(copy, maker.moment, opens, {cell}, {}, {.work = work});
  };
  const Forecast whole = forecast(ForecastReach().work);
  EXPECT_TRUE(whole.takes);
  const Forecast little = forecast(1);
  EXPECT_FALSE(little.takes);
  EXPECT_LT(little.steps.size(), whole.steps.size());
  EXPECT_THAT(little.warnings, Contains(HasSubstr("only the first 20 passes")));
}

TEST(MeasuredIn, LeavesWhatNoStepSays) {
  const ForecastAssumptions before{.start = seconds(7), .stop = seconds(4), .measured = 5};
  const ForecastAssumptions now = MeasuredIn({{.kind = StepKind::kHandedOver, .start_took = seconds(30)}}, before);
  EXPECT_EQ(now.start, seconds(30));
  EXPECT_EQ(now.stop, seconds(4));
  EXPECT_EQ(now.measured, 1);
  EXPECT_EQ(MeasuredIn({}, before).measured, 5);
}

TEST(MeasuredIn, GivesTheMediansAndHowMany) {
  std::vector<RollStep> steps;
  for (const int start : {5, 1, 3}) steps.push_back({.kind = StepKind::kHandedOver, .start_took = seconds(start)});
  steps.push_back({.kind = StepKind::kRetired, .stop_took = seconds(9)});
  const ForecastAssumptions assumptions = MeasuredIn(steps);
  EXPECT_EQ(assumptions.start, seconds(3));
  EXPECT_EQ(assumptions.stop, seconds(9));
  EXPECT_EQ(assumptions.measured, 3);
  EXPECT_EQ(MeasuredIn({}).measured, 0);
}

}  // namespace
}  // namespace baton
