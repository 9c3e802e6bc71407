#include "orchestrator/model/strategy_patch.h"

namespace baton {

Strategy Patched(Strategy s, const StrategyPatch& patch) {
  const auto set = [](auto& field, const auto& value) {
    if (value) field = *value;
  };
  set(s.mode, patch.mode);
  set(s.max_surge, patch.max_surge);
  set(s.max_unavailable, patch.max_unavailable);
  set(s.max_in_flight, patch.max_in_flight);
  set(s.count_stopping, patch.count_stopping);
  set(s.min_healthy_time, patch.min_healthy_time);
  if (patch.start_timeout) s.start_timeout = patch.start_timeout;
  set(s.progress_deadline, patch.progress_deadline);
  set(s.wait_deadline, patch.wait_deadline);
  set(s.max_failures, patch.max_failures);
  set(s.max_failed_slots, patch.max_failed_slots);
  set(s.on_failure, patch.on_failure);
  if (patch.bake_time) s.bake_time = patch.bake_time;
  set(s.stages, patch.stages);
  set(s.drain_min, patch.drain_min);
  set(s.drain_timeout, patch.drain_timeout);
  set(s.stop_timeout, patch.stop_timeout);
  return s;
}

}  // namespace baton
