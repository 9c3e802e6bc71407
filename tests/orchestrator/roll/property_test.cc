// Laws that hold for any app, over many random ones. The seed of a failure is printed.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

constexpr int kApps = 400;

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  int Below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  bool OneIn(int n) { return Below(n) == 0; }

 private:
  std::mt19937 engine_;
};

AppMaker RandomApp(Dice& dice) {
  AppMaker maker(1 + dice.Below(6));
  Strategy& strategy = maker.strategy();
  strategy.max_surge = {dice.Below(3)};
  strategy.max_unavailable = {dice.Below(3)};
  strategy.max_in_flight = {1 + dice.Below(3)};
  strategy.count_stopping = !dice.OneIn(3);
  strategy.on_failure = static_cast<OnFailure>(dice.Below(3));
  if (dice.OneIn(2)) maker.app.desired->routes.http = {{"app.example", 8080}};
  maker.RunAll("v1");
  if (!dice.OneIn(4)) maker.OpenRoll();
  return maker;
}

// What may happen outside between two passes.
void Disturb(AppMaker& maker, Dice& dice) {
  std::vector<ActualId> gone;
  for (auto& [id, lrp] : maker.app.actuals) {
    if (lrp.state == LrpState::kUnclaimed && !dice.OneIn(3)) AppMaker::Start(lrp, maker.moment.now);
    if (lrp.presence == Presence::kRetiring && dice.OneIn(2)) lrp.drained_by = maker.moment.consumers;
    if (lrp.stop_ordered_at && dice.OneIn(2)) gone.push_back(id);
    if (lrp.state == LrpState::kRunning && lrp.presence == Presence::kSurge && dice.OneIn(8)) {
      lrp.routable = false;
      lrp.routable_since.reset();
    }
  }
  for (const ActualId& id : gone) maker.app.actuals.erase(id);
  if (dice.OneIn(20)) maker.app.desired->instances = dice.Below(7);
  maker.Wait(milliseconds(500 + dice.Below(8000)));
}

int Served(const AppMaker& maker) { return Progress(maker.app, maker.moment).served; }

void CheckShape(const AppMaker& maker) {
  std::map<int, int> ordinary, surge;
  for (const auto& [id, lrp] : maker.app.actuals) {
    ordinary[lrp.index] += lrp.presence == Presence::kOrdinary;
    surge[lrp.index] += lrp.presence == Presence::kSurge;
  }
  for (const auto& [index, count] : ordinary) EXPECT_LE(count, 1) << "slot " << index;
  for (const auto& [index, count] : surge) EXPECT_LE(count, 1) << "slot " << index;
}

TEST(PlannerProperty, HoldsForRandomAppsThroughRandomEvents) {
  for (unsigned seed = 1; seed <= kApps; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    AppMaker maker = RandomApp(dice);
    for (int round = 0; round < 30; ++round) {
      const int served = Served(maker);
      const Limits limits = ResolveLimits(maker.strategy(), maker.app.desired->instances);
      const int floor = maker.app.desired->instances - limits.max_unavailable;
      maker.PlanNow();
      // By its own hand the planner never goes below the floor, nor further below it.
      EXPECT_GE(Served(maker), std::min(served, floor));
      EXPECT_EQ(maker.PlanNow().steps, 0) << "a second look at the same moment finds nothing to do";
      CheckShape(maker);
      if (testing::Test::HasFailure()) return;
      Disturb(maker, dice);
    }
  }
}

TEST(PlannerProperty, EveryRollOfAGoodVersionEnds) {
  for (unsigned seed = 1; seed <= kApps; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    AppMaker maker = RandomApp(dice);
    if (!maker.app.roll) maker.OpenRoll();
    for (int i = 0; i < 60 && maker.app.roll; ++i) {
      maker.PlanNow();
      HonestCells(maker);
      maker.Wait(seconds(11));
    }
    EXPECT_FALSE(maker.app.roll);
    EXPECT_EQ(maker.ReadyOf("v2"), maker.app.desired->instances);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace baton
