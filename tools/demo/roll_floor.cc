#include "tools/demo/roll_floor.h"

#include <algorithm>

namespace baton::demo {

double RollSeconds(const v2::Roll& roll, const std::vector<Departure>& old_instances) {
  std::int64_t end = roll.finished_at();
  for (const Departure& old : old_instances) end = std::max(end, old.gone_at);
  return static_cast<double>(end - roll.opened_at()) / 1e9;
}

double FloorSeconds(const std::vector<Departure>& old_instances, const RollNeeds& needs) {
  std::int64_t floor_ms = 0;
  std::int64_t drain_ms = 0;
  for (const Departure& old : old_instances) {
    drain_ms = std::min(old.drain_ms, needs.request_ms);
    floor_ms += needs.start_ms + needs.min_healthy_ms + drain_ms;
  }
  floor_ms += std::max<std::int64_t>(0, needs.bake_ms - drain_ms);  // the last one drains meanwhile
  return static_cast<double>(floor_ms) / 1e3;
}

}  // namespace baton::demo
