// How many of the new and of the old there are after one pass.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/cases/kinds.h"
#include "tests/cases/table.h"

namespace baton::cases {
namespace {

constexpr char kRepairFirst[] =
    "A slot that serves nobody is filled or repaired first, and max_in_flight never bounds repairs";

std::vector<int> Sizes(const Json& given, const char* member) {
  return given.contains(member) && given[member].is_array() ? given[member].get<std::vector<int>>()
                                                            : std::vector<int>();
}

int Sum(const std::vector<int>& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0); }

// capi: max_in_flight is what may start at a time, and what stops does not count.
Table CapiTable(const Json& given) {
  Table table(given);
  const int in_flight = std::max(1, IntIn(given, "max_surge", 1));
  table.strategy().max_in_flight = {in_flight};
  table.strategy().max_surge = {in_flight};
  table.strategy().max_unavailable = {0};
  table.strategy().count_stopping = false;
  return table;
}

}  // namespace

Answer ScaleNew(const Case& one) {
  Json given = one.given;
  if (given.contains("others_spec")) given["old"] = {{"available", given["others_spec"]}, {"unavailable", 0}};
  Table table(given);
  table.Lay(given);
  table.Plan();
  return {.ours = {{"new_spec", table.Live("v2")}}};
}

Answer ScaleNewRecreate(const Case& one) {
  Table table(one.given);
  table.strategy().mode = Mode::kRecreate;
  table.Lay(one.given);
  table.Plan();
  return {.ours = {{"new_spec", table.Live("v2")}}};
}

Answer ScaleOld(const Case& one) {
  Table table(one.given);
  table.Lay(one.given);
  table.Plan();
  return {.ours = {{"old_spec", table.Live("v1")}}};
}

// A budget of none is a paused roll; of one, a roll that has no proof yet. Otherwise fills are not bounded.
Answer CleanupUnhealthyOld(const Case& one) {
  Table table(one.given);
  table.strategy().max_surge = {0};
  table.Lay(one.given);
  const int budget = IntIn(one.given, "budget", 0);
  const int unhealthy = IntIn(one.given.at("old"), "unavailable", 0);  // they sit in the first old slots
  const int first = std::max(0, table.instances() - unhealthy - IntIn(one.given.at("old"), "available", 0));
  if (budget > 1 && budget < unhealthy) return Unmapped("filling dead slots is not bounded by a number");
  if (budget == 0) table.maker().app.roll->state = RollState::kPaused;
  if (budget == 1) table.maker().app.roll->proved_at.reset();
  table.Plan();
  int removed = 0;  // the healthy ones that a roll replaces are another matter
  for (const int slot : table.Stopped()) removed += slot < first + unhealthy;
  return {.ours = {{"removed", removed}}};
}

Answer ScaleDuringRoll(const Case& one) {
  const Json& given = one.given;
  std::vector<int> old = Sizes(given, "old_specs_newest_first");
  std::reverse(old.begin(), old.end());
  Table table(given, given.at("previous_desired").get<int>());
  const bool rolling = !old.empty();
  if (rolling) {
    table.Lay(given, old);
    table.strategy().max_surge = {std::max(1, IntIn(given, "max_surge", 1))};
  } else {  // no roll: the new ones are all there is
    table.maker().RunAll("v2");
    table.maker().app.roll.reset();
    table.maker().app.desired->healthy = DefinitionId("v2");
  }
  table.maker().app.desired->instances = given.at("desired").get<int>();
  table.Plan();
  std::vector<int> left = table.LiveOld();
  std::reverse(left.begin(), left.end());
  Answer answer{.ours = {{"new_spec", table.Live("v2")}, {"old_specs", left}}};
  // Ours may differ in the shares only: all slots are there, and no more than the surge allows.
  const int total = table.Live("v2") + Sum(left);
  const int wanted = table.instances();
  if (rolling && total >= wanted &&
      total <= std::max(wanted, Sum(old)) + ResolveLimits(table.strategy(), wanted).max_surge) {
    answer.rule = "instances changed: at once, in any state; new slots by the restart rule";
  }
  return answer;
}

Answer CapiStep(const Case& one) {
  Table table = CapiTable(one.given);
  const int interim = IntIn(one.given, "interim_target", table.instances());
  if (interim < table.instances()) table.strategy().stages = {{{interim}, std::nullopt}};
  table.Lay(one.given, Sizes(one.given, "old_specs_oldest_first"));
  table.Plan();
  std::vector<int> old = table.LiveOld();
  const bool gaps = IntIn(one.given.at("old"), "available", 0) + IntIn(one.given.at("new"), "available", 0) +
                        IntIn(one.given.at("new"), "unavailable", 0) <
                    table.instances();
  return {.ours = {{"old_specs", old},
                   {"new_spec", table.Live("v2")},
                   {"finished", table.Completed() || table.WaitsAtStage()}},
          .rule = gaps && table.KeptTheFloor() ? kRepairFirst : ""};
}

// Only the new ones are given: the old ones have the slots that are left.
Answer CapiUp(const Case& one) {
  Json given = one.given;
  const int fresh = IntIn(given.at("new"), "available", 0) + std::max(0, IntIn(given.at("new"), "unavailable", 0));
  given["old"] = {{"available", std::max(0, IntIn(given, "desired", 0) - fresh)}, {"unavailable", 0}};
  Table table = CapiTable(given);
  table.Lay(given);
  table.Plan();
  return {.ours = {{"can_scale", table.Live("v2") > fresh}, {"new_spec", table.Live("v2")}},
          .rule = IntIn(given, "new_unhealthy", 0) > 0 && table.Live("v2") <= fresh + 1 && table.KeptTheFloor()
                      ? "In flight: a newcomer that is not ready takes one place of max_in_flight, whatever it says"
                      : ""};
}

Answer CapiDown(const Case& one) {
  Table table = CapiTable(one.given);
  table.Lay(one.given, Sizes(one.given, "old_specs_oldest_first"));
  table.Plan();
  return {.ours = {{"old_specs", table.LiveOld()}}};
}

Answer CapiFinished(const Case& one) {
  Table table = CapiTable(one.given);
  Json given = one.given;
  const int ready = IntIn(given.at("new"), "available", 0);
  given["new"]["unavailable"] = std::max(0, IntIn(given, "new_spec", ready) - ready);
  table.Lay(given);
  table.Plan();
  return {.ours = {{"finished", table.Completed()}}};
}

// A resident app must never run twice: RECREATE. max_total: what runs or is to run once room is made.
Answer RestartStrategy(const Case& one) {
  const Json& given = one.given;
  Table table(given);
  const bool resident = given.value("resident", false);
  const int instances = table.instances();
  const double health = given.value("min_health", 1.0);
  const double over = given.value("over_capacity", 0.0);
  Strategy& strategy = table.strategy();
  strategy.max_unavailable = {static_cast<int>(instances - std::ceil(instances * health))};
  strategy.max_surge = {static_cast<int>(std::floor(instances * over))};
  if (resident) strategy.mode = Mode::kRecreate;
  table.Lay(given);
  const int before = table.Rows();
  const int down = IntIn(given.at("old"), "unavailable", 0);
  table.Plan();
  return {.ours = {{"max_total", table.Rows()}, {"stop_now", static_cast<int>(table.Stopped().size())}},
          .rule = before > 0 && down > 0 && table.KeptTheFloor() ? kRepairFirst : ""};
}

}  // namespace baton::cases
