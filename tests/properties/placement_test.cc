// Placement, for any cells.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "orchestrator/placement/fleet.h"
#include "orchestrator/placement/place.h"

namespace baton {
namespace {

std::vector<std::string> SomeOf(const std::vector<std::string>& words) {
  std::vector<std::string> some;
  for (const std::string& word : words) {
    if (*rc::gen::inRange(0, 4) > 0) some.push_back(word);
  }
  return some;
}

CellOffer AnyCell(int number) {
  CellOffer cell;
  cell.id = CellId("cell-" + std::to_string(number));
  cell.zone = *rc::gen::element<std::string>("z1", "z2", "z3");
  cell.free = {*rc::gen::inRange<std::int64_t>(-10, 300), *rc::gen::inRange<std::int64_t>(-10, 300),
               *rc::gen::inRange<std::int64_t>(0, 30), *rc::gen::inRange<std::int64_t>(0, 5)};
  cell.pids_limited = *rc::gen::arbitrary<bool>();
  cell.stacks = SomeOf({"preloaded:cflinuxfs4", "docker:"});
  cell.placement_tags = SomeOf({"isolated", "gpu"});
  cell.abilities = SomeOf({"run", "user", "download"});
  cell.instances = *rc::gen::inRange(0, 5);
  cell.instances_of_app = *rc::gen::inRange(0, 3);
  cell.draining = *rc::gen::inRange(0, 8) == 0;
  return cell;
}

struct Situation {
  Definition definition;
  std::vector<CellOffer> cells;
  CellId avoid;
};

Situation AnySituation() {
  Situation s;
  s.definition.id = DefinitionId("v1");
  s.definition.resources = {*rc::gen::inRange<std::int64_t>(0, 200), *rc::gen::inRange<std::int64_t>(0, 200),
                            *rc::gen::inRange<std::int64_t>(0, 20), 1};
  s.definition.root_fs = *rc::gen::element<std::string>("preloaded:cflinuxfs4", "docker:img");
  if (*rc::gen::arbitrary<bool>()) s.definition.placement_tags = {"isolated"};
  s.definition.needs = {"run"};
  const int cells = *rc::gen::inRange(0, 7);
  for (int i = 0; i < cells; ++i) s.cells.push_back(AnyCell(i));
  if (cells > 0) s.avoid = CellId("cell-" + std::to_string(*rc::gen::inRange(0, cells)));
  return s;
}

RC_GTEST_PROP(Placement, TakesACellThatCanOrNamesWhyEachCannot, ()) {
  const Situation s = AnySituation();
  const Placement placement = Place(s.definition, s.avoid, s.cells);
  const auto can = [&](const CellOffer& cell) { return WhyNot(s.definition, cell).empty(); };
  const bool any = std::ranges::any_of(s.cells, can);
  RC_ASSERT(placement.cell.has_value() == any);
  if (!any) {
    RC_ASSERT(!placement.error.empty());
    for (const CellOffer& cell : s.cells) RC_ASSERT(placement.error.find(cell.id.str()) != std::string::npos);
    return;
  }
  const auto taken = std::ranges::find(s.cells, *placement.cell, &CellOffer::id);
  RC_ASSERT(taken != s.cells.end() && can(*taken));
  // The slot's old cell only where no other that can has the app spread as well.
  const auto of_zone = [&](const CellOffer& cell) {
    int sum = 0;
    for (const CellOffer& other : s.cells) sum += other.zone == cell.zone && !other.draining ? other.instances_of_app : 0;
    return sum;
  };
  const auto as_good = [&](const CellOffer& cell) {
    return std::pair(of_zone(cell), cell.instances_of_app) <= std::pair(of_zone(*taken), taken->instances_of_app);
  };
  const bool another = std::ranges::any_of(
      s.cells, [&](const auto& cell) { return cell.id != s.avoid && can(cell) && as_good(cell); });
  RC_ASSERT(*placement.cell != s.avoid || !another);
}

RC_GTEST_PROP(Placement, DoesNotDependOnTheOrderOfTheCells, ()) {
  Situation s = AnySituation();
  const Placement one = Place(s.definition, s.avoid, s.cells);
  std::ranges::reverse(s.cells);
  RC_ASSERT(Place(s.definition, s.avoid, s.cells).cell == one.cell);
}

// The fleet is the rule made quick: whatever was held and given back before, it decides as the rule does.
RC_GTEST_PROP(Placement, TheFleetDecidesAsTheRule, ()) {
  Situation s = AnySituation();
  const ProcessGuid app("app");
  Fleet fleet;
  Leaving leaving;
  if (*rc::gen::arbitrary<bool>()) s.definition.ports = {8080, 2222};
  for (CellOffer& cell : s.cells) {
    const Resources capacity{cell.free.memory_mb, cell.free.disk_mb, cell.pids_limited ? cell.free.pids + 1 : 0,
                             cell.free.containers};
    const int holds = *rc::gen::inRange(0, 4);
    cell.instances = cell.instances_of_app = 0;
    cell.free = capacity;
    cell.pids_limited = capacity.pids > 0;
    cell.host_ports = cell.free_ports = *rc::gen::inRange(0, 6);
    fleet.Set(cell, capacity);
    for (int i = 0; i < holds; ++i) {
      const bool own = *rc::gen::arbitrary<bool>();
      const Resources takes{*rc::gen::inRange<std::int64_t>(0, 50), *rc::gen::inRange<std::int64_t>(0, 50), 1, 1};
      const ActualId id(cell.id.str() + "-" + std::to_string(i));
      const int ports = *rc::gen::inRange(0, 3);
      fleet.Hold(cell.id, id, own ? app : ProcessGuid("other"), takes, ports);
      if (*rc::gen::inRange(0, 3) == 0) {
        fleet.Release(cell.id, id);
        continue;
      }
      ++cell.instances;
      cell.instances_of_app += own ? 1 : 0;
      cell.free.memory_mb -= takes.memory_mb;
      cell.free.disk_mb -= takes.disk_mb;
      cell.free.pids -= takes.pids;
      --cell.free.containers;
      cell.free_ports -= ports;
    }
    if (*rc::gen::inRange(0, 4) == 0) fleet.Set(cell, capacity);  // said again
    if (const int goes = *rc::gen::inRange(0, 3); goes > 0) {
      leaving[cell.id] = goes;
      cell.instances_of_app = std::max(0, cell.instances_of_app - goes);
    }
  }
  Fleet::Refused refused;
  if (!s.cells.empty() && *rc::gen::arbitrary<bool>()) {
    refused[s.cells[0].id] = "no";
    s.cells[0].refused = "no";
  }
  const Placement rule = Place(s.definition, s.avoid, s.cells);
  const Placement quick = fleet.Place(s.definition, app, s.avoid, refused, leaving);
  RC_ASSERT(quick.cell == rule.cell);
  std::ranges::sort(s.cells, {}, &CellOffer::id);
  if (!rule.cell) RC_ASSERT(quick.error == Place(s.definition, s.avoid, s.cells).error);
}

}  // namespace
}  // namespace baton
