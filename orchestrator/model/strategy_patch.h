// A change of a strategy.
#pragma once

#include <optional>

#include "orchestrator/model/strategy.h"

namespace baton {

// The fields of a strategy that are given; the others stay.
struct StrategyPatch {
  std::optional<Mode> mode;
  std::optional<IntOrPercent> max_surge;
  std::optional<IntOrPercent> max_unavailable;
  std::optional<IntOrPercent> max_in_flight;
  std::optional<bool> count_stopping;
  std::optional<Duration> min_healthy_time;
  std::optional<Duration> start_timeout;
  std::optional<Duration> progress_deadline;
  std::optional<Duration> wait_deadline;
  std::optional<int> max_failures;
  std::optional<int> max_failed_slots;
  std::optional<OnFailure> on_failure;
  std::optional<Duration> bake_time;
  std::optional<std::vector<Stage>> stages;
  std::optional<Duration> drain_min;
  std::optional<Duration> drain_timeout;
  std::optional<Duration> stop_timeout;
};
Strategy Patched(Strategy strategy, const StrategyPatch& patch);

}  // namespace baton
