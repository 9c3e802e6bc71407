// Limits of a strategy: how percentages round, and what both at 0 come to.
#include "tests/cases/kinds.h"
#include "tests/cases/table.h"

namespace baton::cases {

Answer ResolveLimitsCase(const Case& one) {
  const int instances = IntIn(one.given, "desired", 0);
  const auto amount = [&](const char* member) {
    return one.given.contains(member) ? AmountIn(one.given[member]) : AmountIn(nullptr);
  };
  const auto surge = amount("max_surge");
  const auto unavailable = amount("max_unavailable");
  if (!surge || !unavailable) return {.ours = {{"max_surge", 0}, {"max_unavailable", 0}, {"error", true}}};
  Strategy strategy;
  strategy.max_surge = surge->value_or(strategy.max_surge);
  strategy.max_unavailable = unavailable->value_or(strategy.max_unavailable);
  const Limits limits = ResolveLimits(strategy, instances);
  const bool both_zero =
      strategy.max_surge.RoundedUp(instances) == 0 && strategy.max_unavailable.RoundedDown(instances) == 0;
  const bool not_given = !surge->has_value();
  return {.ours = {{"max_surge", limits.max_surge}, {"max_unavailable", limits.max_unavailable}, {"error", false}},
          .rule = both_zero || not_given ? "Strategy: both 0 by rounding is surge 1, not given is surge 1" : ""};
}

// How many served slots one pass takes at most, and how many it leaves.
Answer FloorCase(const Case& one) {
  Json given = one.given;
  given["max_surge"] = 0;  // the floor is the other one's
  Table table(given);
  const int instances = table.instances();
  if (table.strategy().max_unavailable.RoundedDown(instances) == 0) table.strategy().max_surge = {1};
  table.Lay({{"v1", instances, 0}}, {"v2"});
  table.Plan();
  const int taken = instances - table.Live("v1");
  return {.ours = {{"max_unavailable", taken}, {"min_available", table.Live("v1")}}};
}

}  // namespace baton::cases
