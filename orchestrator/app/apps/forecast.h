// What an update would do: the real planner over a copy of the rows, with cells that start and stop everything in the
// times that were measured, and nothing else happening. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/app_edit.h"
#include "orchestrator/placement/place.h"

namespace baton {

struct ForecastAssumptions {
  Duration start = seconds(5);  // from the claim to routable
  Duration stop = seconds(2);   // from RETIRING to gone, drains included
  int measured = 0;             // starts that these come from; 0: guesses
};

// The medians of what the steps of rolls say; of what no step says, `otherwise`.
ForecastAssumptions MeasuredIn(const std::vector<RollStep>& steps, ForecastAssumptions otherwise = {});

struct Forecast {
  bool opens_roll = false;
  int restarts = 0;  // running instances that would be restarted
  DefinitionId source;
  DefinitionId target;
  std::vector<RollStep> steps;  // `at` counts from the update's moment; the first kForecastStepsMax
  std::optional<Duration> takes;
  RollState ends = RollState::kCompleted;
  int peak_instances = 0;
  std::int64_t peak_memory_mb = 0;
  int instances_now = 0;
  std::int64_t memory_now_mb = 0;
  std::int64_t memory_free_mb = 0;
  int least_served = 0;  // slots; where routes are served by fewer, the fewest of any route
  std::vector<std::string> warnings;
};
inline constexpr std::size_t kForecastStepsMax = 10000;

// What the update itself decides, without what follows: opens_roll, source and target. `state` as in MakeForecast.
Result<Forecast> MakeDecision(AppState& state, Moment moment, const std::function<Status(AppEdit&)>& decide);

// How far a forecast goes.
struct ForecastReach {
  int work = 3'000'000;  // passes times instances; a pass takes about a microsecond an instance: a few seconds in all
  bool promotes = true;  // somebody promotes each stage at once; false: it ends where it waits for that
};
// Of what is asked for by itself, again and again.
inline constexpr ForecastReach kForecastLeftAlone{.work = 300'000, .promotes = false};

// `decide` is the update itself; where it refuses, so does this. `state` is changed to what the update leaves, before
// any step.
Result<Forecast> MakeForecast(AppState& state, Moment moment, const std::function<Status(AppEdit&)>& decide,
                              const std::vector<CellOffer>& cells, const ForecastAssumptions& assumptions,
                              const ForecastReach& reach = {});

}  // namespace baton
