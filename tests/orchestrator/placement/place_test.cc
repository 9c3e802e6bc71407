// Which cell takes an instance, and what each one that does not says.
#include "orchestrator/placement/place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace baton {
namespace {

using ::testing::HasSubstr;

Definition Modest() {
  Definition d;
  d.id = DefinitionId("v1");
  d.resources = {.memory_mb = 100, .disk_mb = 200, .pids = 10, .containers = 1};
  d.root_fs = "preloaded:cflinuxfs4";
  d.placement_tags = {"isolated"};
  d.needs = {"run", "user"};
  d.ports = {8080, 2222};
  return d;
}

CellOffer Fitting(const std::string& id, const std::string& zone = "z1") {
  CellOffer cell;
  cell.id = CellId(id);
  cell.zone = zone;
  cell.free = {.memory_mb = 100, .disk_mb = 200, .pids = 10, .containers = 1};
  cell.pids_limited = true;
  cell.host_ports = 10;
  cell.free_ports = 2;
  cell.stacks = {"preloaded:cflinuxfs4"};
  cell.placement_tags = {"isolated", "more"};
  cell.abilities = {"user", "run", "download"};
  return cell;
}

struct Refusal {
  std::function<void(CellOffer&)> spoil;
  std::string sentence;
};

TEST(Place, ACellThatJustFitsTakesItAndEachLackIsNamed) {
  EXPECT_EQ(WhyNot(Modest(), Fitting("c")), "");
  const std::vector<Refusal> refusals = {
      {[](auto& c) { c.draining = true; }, "it drains"},
      {[](auto& c) { c.refused = "no disk"; }, "refused: no disk"},
      {[](auto& c) { c.abilities = {"run"}; }, "cannot enact user"},
      {[](auto& c) {
         c.stacks = {"preloaded:cflinuxfs3", "docker:"};
       },
       "has no stack for preloaded:cflinuxfs4"},
      {[](auto& c) { c.placement_tags = {"more"}; }, "lacks the placement tag isolated"},
      {[](auto& c) { c.free.containers = 0; }, "has room for no more instances"},
      {[](auto& c) { c.free.memory_mb = 99; }, "needs 100 MB of memory, has 99"},
      {[](auto& c) { c.free.memory_mb = -5; }, "needs 100 MB of memory, has 0"},
      {[](auto& c) { c.free.disk_mb = 199; }, "needs 200 MB of disk, has 199"},
      {[](auto& c) { c.free.pids = 9; }, "needs 10 pids, has 9"},
      {[](auto& c) { c.free_ports = 1; }, "needs 2 host ports, has 1"},
  };
  for (const Refusal& refusal : refusals) {
    CellOffer cell = Fitting("c");
    refusal.spoil(cell);
    EXPECT_EQ(WhyNot(Modest(), cell), refusal.sentence);
    EXPECT_THAT(Place(Modest(), {}, {cell}).error, HasSubstr("c: " + refusal.sentence));
  }
}

TEST(Place, AStackThatEndsInAColonIsAWholeScheme) {
  CellOffer cell = Fitting("c");
  cell.stacks = {"preloaded:"};
  EXPECT_EQ(WhyNot(Modest(), cell), "");
  cell.stacks = {"pre"};
  EXPECT_NE(WhyNot(Modest(), cell), "");
}

TEST(Place, PidsCountOnlyWhereTheyAreLimited) {
  CellOffer cell = Fitting("c");
  cell.pids_limited = false;
  cell.free.pids = 0;
  EXPECT_EQ(WhyNot(Modest(), cell), "");
}

TEST(Place, NoCellAtAllIsSaidSo) { EXPECT_EQ(Place(Modest(), {}, {}).error, "no cell is connected"); }

TEST(Place, EveryCellsReasonIsInTheError) {
  CellOffer small = Fitting("small");
  small.free.memory_mb = 1;
  CellOffer draining = Fitting("going");
  draining.draining = true;
  EXPECT_EQ(Place(Modest(), {}, {small, draining}).error, "small: needs 100 MB of memory, has 1; going: it drains");
}

TEST(Place, ZonesComeBeforeCellsAndCellsBeforeLoad) {
  CellOffer a = Fitting("a", "z1"), b = Fitting("b", "z1"), c = Fitting("c", "z2");
  a.instances_of_app = 1;
  c.instances = 50;
  EXPECT_EQ(Place(Modest(), {}, {a, b, c}).cell, CellId("c")) << "the zone that has none of the app";
  c.instances_of_app = 1;
  EXPECT_EQ(Place(Modest(), {}, {a, b, c}).cell, CellId("b")) << "the cell that has none of the app";
  b.instances_of_app = 1;
  a.instances = 7;
  EXPECT_EQ(Place(Modest(), {}, {a, b}).cell, CellId("b")) << "the less loaded one";
}

TEST(Place, TheSlotsOldCellOnlyBreaksTies) {
  CellOffer old = Fitting("old", "z1"), other = Fitting("other", "z2");
  other.instances = 9;
  EXPECT_EQ(Place(Modest(), CellId("old"), {old, other}).cell, CellId("other")) << "however loaded";
  other.instances_of_app = 1;
  EXPECT_EQ(Place(Modest(), CellId("old"), {old, other}).cell, CellId("old")) << "the app's spread comes first";
  EXPECT_EQ(Place(Modest(), CellId("old"), {old}).cell, CellId("old"));
}

TEST(Place, WhatRunsOnACellThatDrainsDoesNotCountForItsZone) {
  CellOffer going = Fitting("going", "z1"), beside = Fitting("beside", "z1"), far = Fitting("far", "z2");
  going.draining = true;
  going.instances_of_app = 3;
  far.instances_of_app = 1;
  EXPECT_EQ(Place(Modest(), {}, {going, beside, far}).cell, CellId("beside"));
}

TEST(Place, NeverTakesACellThatCannotAndAlwaysOneIfAnyCan) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 2000; ++round) {
    std::vector<CellOffer> cells;
    for (int i = below(6); i > 0; --i) {
      CellOffer cell = Fitting("c" + std::to_string(i), "z" + std::to_string(below(3)));
      cell.free = {.memory_mb = below(200), .disk_mb = below(400), .pids = below(20), .containers = below(3)};
      cell.draining = below(4) == 0;
      cell.pids_limited = below(2) == 0;
      if (below(4) == 0) cell.abilities.clear();
      cell.instances_of_app = below(3);
      cells.push_back(cell);
    }
    const bool any = std::ranges::any_of(cells, [](const auto& cell) { return WhyNot(Modest(), cell).empty(); });
    const Placement placement = Place(Modest(), CellId("c1"), cells);
    ASSERT_EQ(placement.cell.has_value(), any);
    ASSERT_NE(placement.cell.has_value(), !placement.error.empty());
    if (!placement.cell) continue;
    const auto chosen = std::ranges::find(cells, *placement.cell, &CellOffer::id);
    ASSERT_NE(chosen, cells.end());
    ASSERT_EQ(WhyNot(Modest(), *chosen), "");
  }
}

}  // namespace
}  // namespace baton
