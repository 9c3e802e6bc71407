// What may never happen to a route: no commit of a decision leaves it with fewer slots serving it than
// min(what it had, instances - max_unavailable).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "orchestrator/model/app_state.h"

namespace baton::sim {

class RouteOracle {
 public:
  using Ready = std::function<bool(const AppState&, const ActualLrp&)>;
  explicit RouteOracle(Ready ready) : ready_(std::move(ready)) {}

  void Before(const AppState& app);
  // `unavailable`: the larger of what the strategy allowed before and allows now. Empty: it holds.
  std::string After(const AppState& app, int unavailable) const;

 private:
  std::map<Route, int> Served(const AppState& app) const;

  Ready ready_;
  std::map<ProcessGuid, std::int64_t> incarnation_before_;
  std::map<ProcessGuid, std::map<Route, int>> served_before_;
};

}  // namespace baton::sim
