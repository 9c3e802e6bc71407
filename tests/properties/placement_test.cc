// Placement, for any cells.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

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
  const bool another = std::ranges::any_of(s.cells, [&](const auto& cell) { return cell.id != s.avoid && can(cell); });
  RC_ASSERT(*placement.cell != s.avoid || !another);
}

RC_GTEST_PROP(Placement, DoesNotDependOnTheOrderOfTheCells, ()) {
  Situation s = AnySituation();
  const Placement one = Place(s.definition, s.avoid, s.cells);
  std::ranges::reverse(s.cells);
  RC_ASSERT(Place(s.definition, s.avoid, s.cells).cell == one.cell);
}

}  // namespace
}  // namespace baton
