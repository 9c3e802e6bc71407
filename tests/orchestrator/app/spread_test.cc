// Where an app's instances end up after drains, losses and rolls.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "tests/orchestrator/app/spread.h"

namespace baton {
namespace {

// Issue 20: after drain and undrain of one of two cells every roll moved all instances to one cell, back and forth.
TEST(Spread, ARollAfterADrainSpreadsTheAppAgain) {
  Spread spread(6, {{kA, "z1"}, {kB, "z1"}});
  EXPECT_EQ(spread.OnCells(), (std::map<CellId, int>{{kA, 3}, {kB, 3}}));
  spread.Drain(kA, true);
  EXPECT_EQ(spread.OnCells(), (std::map<CellId, int>{{kB, 6}}));
  spread.Drain(kA, false);
  for (int i = 0; i < 3; ++i) {
    spread.Roll();
    EXPECT_EQ(spread.OnCells(), (std::map<CellId, int>{{kA, 3}, {kB, 3}}));
  }
}

TEST(Spread, ASingleInstanceMovesToTheOtherCell) {
  Spread spread(1, {{kA, "z1"}, {kB, "z1"}});
  const auto before = spread.OnCells();
  spread.Roll();
  EXPECT_NE(spread.OnCells(), before) << "where all is equal, not where the old one is";
}

TEST(Spread, AnAppThatRollsOnceMoreIsSpreadAsEvenlyAsRoomAllowsAfterAnything) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return random() % n; };
    const std::map<CellId, std::string> zones = AnyZones(below);
    std::vector<CellId> cells;
    for (const auto& [cell, zone] : zones) cells.push_back(cell);
    Spread spread(1 + static_cast<int>(below(9)), zones);
    CellId drained;  // one at a time, so that there is somewhere to go
    for (std::size_t i = 0, count = below(5); i < count; ++i) {
      const CellId& cell = cells[below(cells.size())];
      switch (below(3)) {
        case 0:
          if (!drained.empty()) spread.Drain(drained, false);
          drained = cell;
          spread.Drain(cell, true);
          break;
        case 1:
          if (cells.size() > 2 || drained.empty()) spread.LoseAndReturn(cell);
          break;
        case 2: spread.Roll(); break;
      }
    }
    if (!drained.empty() && below(2) == 0) spread.Drain(drained, false);
    spread.Roll();
    const auto [zone, cell] = spread.Differences();
    ASSERT_LE(zone, 1) << "seed " << seed;
    ASSERT_LE(cell, 1) << "seed " << seed;
  }
}

}  // namespace
}  // namespace baton
