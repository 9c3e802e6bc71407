// Laws that hold for any app, over many random ones. The seed of a failure is printed.
#include <gtest/gtest.h>

#include <map>

#include "tests/orchestrator/roll/random_app.h"

namespace baton {
namespace {

constexpr int kPropertyApps = 400;

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
  for (unsigned seed = 1; seed <= kPropertyApps; ++seed) {
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
      if (::testing::Test::HasFailure()) return;
      Disturb(maker, dice);
    }
  }
}

TEST(PlannerProperty, EveryRollOfAGoodVersionEnds) {
  for (unsigned seed = 1; seed <= kPropertyApps; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    AppMaker maker = RandomApp(dice);
    if (!maker.app.roll) maker.OpenRoll();
    for (int i = 0; i < 60 && maker.app.roll; ++i) {
      maker.PlanNow();
      Promote(maker);
      HonestCells(maker);
      maker.Wait(seconds(11));
    }
    EXPECT_FALSE(maker.app.roll);
    EXPECT_EQ(maker.ReadyOf("v2"), maker.app.desired->instances);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace baton
