// RebalanceInstances: what is moved, and when nothing is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "tests/orchestrator/app/spread.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

// All six on `b`: `a` was drained and takes instances again.
Spread Uneven() {
  Spread spread(6, {{kA, "z1"}, {kB, "z2"}});
  spread.Drain(kA, true);
  spread.Drain(kA, false);
  EXPECT_EQ(spread.OnCells(), (std::map<CellId, int>{{kA, 0}, {kB, 6}}));
  (void)spread.LeastServed();
  return spread;
}

TEST(Rebalance, MovesAsManyAsMakeItEvenAndEachSlotStaysServed) {
  Spread spread = Uneven();
  const Rebalance done = spread.Even({});
  EXPECT_EQ(done.moved.size(), 3u);
  EXPECT_EQ(done.outcome, "3 instances are moved, 1 at a time");
  EXPECT_EQ(done.moved[0].why, "zone z2 has 6 of its instances, z1 has 0");
  EXPECT_EQ(done.moved[0].to, kA);
  EXPECT_EQ(spread.OnCells(), (std::map<CellId, int>{{kA, 3}, {kB, 3}}));
  EXPECT_EQ(spread.LeastServed(), 6);
  EXPECT_EQ(spread.Even({}).outcome, "it is spread evenly");
}

TEST(Rebalance, ADryRunSaysTheSameAndChangesNothing) {
  Spread spread = Uneven();
  const Rebalance dry = spread.Even({.dry_run = true});
  EXPECT_EQ(dry.outcome, "3 instances would move, 1 at a time");
  for (const auto& [id, lrp] : spread.maker().app.actuals) EXPECT_FALSE(lrp.retire_asked);
  EXPECT_EQ(spread.Even({}).moved.size(), dry.moved.size());
}

TEST(Rebalance, MovesNoMoreThanItMayAndSaysThatThereAreMore) {
  Spread spread = Uneven();
  const Rebalance done = spread.Even({.most = 1});
  EXPECT_EQ(done.moved.size(), 1u);
  EXPECT_THAT(done.outcome, HasSubstr("1 instance is moved, 1 at a time; more are to be moved after that"));
  EXPECT_EQ(spread.OnCells(), (std::map<CellId, int>{{kA, 1}, {kB, 5}}));
}

TEST(Rebalance, NothingIsMovedBesideARoll) {
  Spread spread = Uneven();
  AppMaker& maker = spread.maker();
  maker.OpenRoll();
  const Rebalance done = spread.Even({.dry_run = true});
  EXPECT_TRUE(done.moved.empty());
  EXPECT_THAT(done.outcome, HasSubstr("its roll to v2 is open"));
}

TEST(Rebalance, NothingIsMovedOfAnAppThatMustNotRunTwice) {
  Spread spread = Uneven();
  spread.maker().strategy().mode = Mode::kRecreate;
  EXPECT_THAT(spread.Even({}).outcome, HasSubstr("RECREATE"));
  EXPECT_EQ(spread.OnCells(), (std::map<CellId, int>{{kA, 0}, {kB, 6}}));
}

TEST(Rebalance, ASlotThatIsAskedToGoAlreadyIsWaitedFor) {
  Spread spread = Uneven();
  spread.maker().app.actuals.begin()->second.retire_asked = true;
  const Rebalance done = spread.Even({.dry_run = true});
  EXPECT_TRUE(done.moved.empty());
  EXPECT_THAT(done.outcome, HasSubstr("is to be replaced anyway: ask again when it has settled"));
}

TEST(Rebalance, AfterAnythingAnAppIsSpreadAsEvenlyAsItWouldBePlacedAndServesAllTheWhile) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return random() % n; };
    const std::map<CellId, std::string> zones = AnyZones(below);
    std::vector<CellId> cells;
    for (const auto& [cell, zone] : zones) cells.push_back(cell);
    const int instances = 1 + static_cast<int>(below(9));
    Spread spread(instances, zones);
    for (std::size_t i = 0, count = 1 + below(4); i < count; ++i) {
      const CellId& cell = cells[below(cells.size())];
      spread.Drain(cell, true);
      spread.Drain(cell, false);
    }
    (void)spread.LeastServed();
    const int most = 1 + static_cast<int>(below(4));
    for (int calls = 0; !spread.Even({.most = most}).moved.empty(); ++calls) ASSERT_LT(calls, 20) << "seed " << seed;
    const auto [zone, cell] = spread.Differences();
    ASSERT_LE(zone, 1) << "seed " << seed;
    ASSERT_LE(cell, 1) << "seed " << seed;
    ASSERT_EQ(spread.LeastServed(), instances) << "seed " << seed;
  }
}

}  // namespace
}  // namespace baton
