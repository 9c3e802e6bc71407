// How an app is rolled (rolls.md, "Strategy"; the API's words are in proto/baton/v2/strategy.proto).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/time.h"

namespace baton {

// A number of instances, or a percentage of the app's instances.
struct IntOrPercent {
  int value = 0;
  bool percent = false;

  int RoundedUp(int instances) const {
    return percent ? static_cast<int>((std::int64_t{value} * instances + 99) / 100) : value;
  }
  int RoundedDown(int instances) const {
    return percent ? static_cast<int>(std::int64_t{value} * instances / 100) : value;
  }
  bool operator==(const IntOrPercent&) const = default;
};

// A stop on the way: the roll goes until so many slots run the target, then it waits.
struct Stage {
  IntOrPercent instances;
  std::optional<Duration> wait;  // not set: for a promotion
  // Asked for a verdict until there is one; a promotion by hand comes before it. Empty: no service is asked.
  std::string verdict_url;
  Duration verdict_timeout = seconds(10);  // of one question

  bool operator==(const Stage&) const = default;
};

enum class Mode { kRolling, kRecreate };
enum class OnFailure { kRollback, kHold, kContinue };

struct Strategy {
  Mode mode = Mode::kRolling;
  IntOrPercent max_surge{1};
  IntOrPercent max_unavailable{0};
  IntOrPercent max_in_flight{1};
  bool count_stopping = true;
  Duration min_healthy_time = seconds(10);
  std::optional<Duration> start_timeout;  // not set: the definition's
  Duration progress_deadline = std::chrono::minutes(10);
  Duration wait_deadline = std::chrono::hours(1);
  int max_failures = 3;
  int max_failed_slots = 0;
  OnFailure on_failure = OnFailure::kRollback;
  std::optional<Duration> bake_time;  // not set: min_healthy_time
  std::vector<Stage> stages;
  Duration drain_min{0};
  Duration drain_timeout = seconds(15);
  Duration stop_timeout = seconds(60);

  bool operator==(const Strategy&) const = default;
};

// How long a roll stays open after its last hand-over.
inline Duration BakeTime(const Strategy& strategy) { return strategy.bake_time.value_or(strategy.min_healthy_time); }

// What of a changed strategy changes a running roll too; `mode` is a property of the app.
inline void TakeRunningChanges(const Strategy& changed, Strategy& running) {
  running.mode = changed.mode;
  running.max_surge = changed.max_surge;
  running.max_in_flight = changed.max_in_flight;
  running.progress_deadline = changed.progress_deadline;
}

// The strategy's limits for a number of instances, percentages resolved and 0/0 by rounding settled.
struct Limits {
  int max_surge = 0;
  int max_unavailable = 0;
  int max_in_flight = 1;
};

inline Limits ResolveLimits(const Strategy& strategy, int instances) {
  Limits limits;
  const bool recreate = strategy.mode == Mode::kRecreate;
  limits.max_surge = recreate ? 0 : strategy.max_surge.RoundedUp(instances);
  limits.max_unavailable = strategy.max_unavailable.RoundedDown(instances);
  if (limits.max_surge == 0 && limits.max_unavailable == 0) (recreate ? limits.max_unavailable : limits.max_surge) = 1;
  // One slot at a time, whatever the numbers say: the app must never run twice.
  limits.max_in_flight = recreate ? 1 : std::max(1, strategy.max_in_flight.RoundedUp(instances));
  return limits;
}

}  // namespace baton
