#include "tests/sim/route_oracle.h"

#include <algorithm>
#include <set>

#include "orchestrator/routing/resolve.h"

namespace baton::sim {
namespace {

// Somebody said that it may lead nowhere in what the app goes to.
bool Accepted(const AppState& app, const MappedRoute& route) {
  const auto active = app.definitions.find({app.desired->incarnation, app.desired->active});
  return active != app.definitions.end() && BindingOf(route, Ports(active->second, app.desired->routes)).accepted;
}

}  // namespace

std::map<Route, int> RouteOracle::Served(const AppState& app) const {
  std::map<Route, std::set<int>> slots;
  for (const auto& [id, lrp] : app.actuals) {
    if (lrp.incarnation != app.desired->incarnation || !ready_(app, lrp)) continue;
    const Ports own(app.definitions.at({lrp.incarnation, lrp.definition}), app.desired->routes);
    for (const Endpoint& endpoint : ResolveEndpoints(app.guid, app.desired->routes.mapped, lrp, own)) {
      slots[endpoint.route].insert(lrp.index);
    }
  }
  std::map<Route, int> served;
  for (const auto& [route, indexes] : slots) served[route] = static_cast<int>(indexes.size());
  return served;
}

void RouteOracle::Before(const AppState& app) {
  incarnation_before_[app.guid] = app.desired ? app.desired->incarnation : 0;
  served_before_[app.guid] = app.desired ? Served(app) : std::map<Route, int>();
}

std::string RouteOracle::After(const AppState& app, int unavailable) const {
  if (!app.desired || incarnation_before_.at(app.guid) != app.desired->incarnation) return {};
  const std::map<Route, int>& before = served_before_.at(app.guid);
  const std::map<Route, int> after = Served(app);
  for (const MappedRoute& route : app.desired->routes.mapped) {
    const auto had = before.find(route.route);
    if (had == before.end()) continue;
    const auto has = after.find(route.route);
    const int serving = has == after.end() ? 0 : has->second;
    const int least = std::min(had->second, app.desired->instances - unavailable);
    if (serving >= least || Accepted(app, route)) continue;
    return "route " + Name(route.route) + " of " + app.guid.str() + " was served by " + std::to_string(had->second) +
           " slots, now by " + std::to_string(serving) + " of " + std::to_string(app.desired->instances) +
           ", max_unavailable " + std::to_string(unavailable);
  }
  return {};
}

}  // namespace baton::sim
