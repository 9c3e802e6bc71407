#include "orchestrator/routing/route_table.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "orchestrator/routing/resolve.h"

namespace baton {
namespace {

// Only what resolving needs is kept of a row.
ActualLrp Lite(const ActualLrp& lrp) {
  ActualLrp lite;
  lite.id = lrp.id;
  lite.incarnation = lrp.incarnation;
  lite.index = lrp.index;
  lite.presence = lrp.presence;
  lite.definition = lrp.definition;
  lite.state = lrp.state;
  lite.instance_guid = lrp.instance_guid;
  lite.net_info = lrp.net_info;
  lite.routable = lrp.routable;
  lite.awaits_drain = lrp.awaits_drain;
  return lite;
}

const Endpoint* Find(const std::vector<Endpoint>& endpoints, const Route& route) {
  const auto at = std::ranges::find(endpoints, route, &Endpoint::route);
  return at == endpoints.end() ? nullptr : &*at;
}

}  // namespace

AppRouting RoutingOf(const AppState& app) {
  AppRouting routing;
  if (app.desired) {
    routing.mapped = app.desired->routes.mapped;
    routing.wanted = app.desired->instances > 0;
  }
  if (routing.mapped.empty()) return routing;
  for (const auto& [key, definition] : app.definitions) {
    // An older incarnation's bindings went with it; what drains of it keeps its endpoints (RouteTable::Resolve).
    const bool present = key.incarnation == app.desired->incarnation;
    routing.ports.emplace(key, Ports(definition, present ? app.desired->routes : Routes()));
  }
  return routing;
}

void RouteTable::Forget(App& app, const ActualId& id, RouteDelta& delta) {
  const auto at = app.routes.find(id);
  app.lrps.erase(id);
  if (at == app.routes.end()) return;
  for (const Endpoint& endpoint : at->second.endpoints) delta.removed.emplace_back(endpoint.route, id);
  app.routes.erase(at);
  apps_of_.erase(id);
}

void RouteTable::Resolve(const ProcessGuid& guid, App& app, const ActualLrp& lrp, RouteDelta& delta) {
  const auto old = app.routes.find(lrp.id);
  const bool retiring = lrp.presence == Presence::kRetiring;
  // A removed app has no routes, but its draining instances keep their endpoints until they are gone.
  if (retiring && old != app.routes.end()) {
    if (old->second.draining) return;
    old->second.draining = true;
    app.lrps[lrp.id] = Lite(lrp);
    delta.draining.insert(delta.draining.end(), old->second.endpoints.begin(), old->second.endpoints.end());
    return;
  }
  const auto ports = app.routing.ports.find({lrp.incarnation, lrp.definition});
  InstanceRoutes fresh{lrp.id, lrp.instance_guid, {}, retiring};
  const bool in_table = retiring ? lrp.awaits_drain : lrp.routable;
  if (in_table && lrp.state == LrpState::kRunning && ports != app.routing.ports.end()) {
    fresh.endpoints = ResolveEndpoints(guid, app.routing.mapped, lrp, ports->second);
  }
  if (fresh.endpoints.empty()) {
    Forget(app, lrp.id, delta);
    if (MayRun(lrp)) app.lrps[lrp.id] = Lite(lrp);  // a route that is mapped later may lead to it
    return;
  }
  app.lrps[lrp.id] = Lite(lrp);
  if (old != app.routes.end() && old->second == fresh) return;
  const bool anew = old == app.routes.end() || old->second.instance_guid != fresh.instance_guid || old->second.draining;
  for (const Endpoint& endpoint : fresh.endpoints) {
    const Endpoint* before = anew ? nullptr : Find(old->second.endpoints, endpoint.route);
    if (!before || *before != endpoint) (retiring ? delta.draining : delta.added).push_back(endpoint);
  }
  if (old != app.routes.end()) {
    for (const Endpoint& before : old->second.endpoints) {
      if (!Find(fresh.endpoints, before.route)) delta.removed.emplace_back(before.route, lrp.id);
    }
  }
  if (!retiring) delta.serving.push_back(lrp.id);
  app.routes[lrp.id] = std::move(fresh);
  apps_of_[lrp.id] = guid;
}

void RouteTable::Reroute(App& app, const AppRouting& routing, RouteDelta& delta) {
  for (const MappedRoute& route : routing.mapped) {
    if (++mapped_[route.route] == 1) delta.mapped.push_back(route.route);
  }
  for (const MappedRoute& route : app.routing.mapped) {
    const auto at = mapped_.find(route.route);
    if (--at->second > 0) continue;
    mapped_.erase(at);
    delta.unmapped.push_back(route.route);
  }
  for (const MappedRoute& route : routing.mapped) {
    const bool had = std::ranges::find(app.routing.mapped, route.route, &MappedRoute::route) != app.routing.mapped.end();
    if (!had && mapped_.at(route.route) > 1) delta.shared.push_back(route.route);
  }
  app.routing = routing;
}

void RouteTable::SetApp(const ProcessGuid& guid, const AppRouting& routing, const std::vector<ActualLrp>& lrps,
                        RouteDelta& delta) {
  const auto at = apps_.try_emplace(apps_.end(), guid);
  App& app = at->second;
  Reroute(app, routing, delta);
  std::set<ActualId> ids;
  if (!app.lrps.empty()) std::ranges::transform(lrps, std::inserter(ids, ids.end()), &ActualLrp::id);
  std::vector<ActualId> gone;
  for (const auto& [id, lrp] : app.lrps) {
    if (!ids.contains(id)) gone.push_back(id);
  }
  Update(at, std::nullopt, lrps, gone, delta);
}

bool RouteTable::Knows(const ProcessGuid& guid) const {
  return !apps_.empty() && !(apps_.rbegin()->first < guid) && apps_.contains(guid);
}

void RouteTable::Update(const ProcessGuid& guid, const std::optional<AppRouting>& routing,
                        const std::vector<ActualLrp>& changed, const std::vector<ActualId>& removed,
                        RouteDelta& delta) {
  Update(apps_.try_emplace(guid).first, routing, changed, removed, delta);
}

void RouteTable::Update(std::map<ProcessGuid, App>::iterator at, const std::optional<AppRouting>& routing,
                        const std::vector<ActualLrp>& changed, const std::vector<ActualId>& removed, RouteDelta& delta) {
  const ProcessGuid& guid = at->first;
  App& app = at->second;
  const bool rerouted = routing && *routing != app.routing;
  if (routing) Reroute(app, *routing, delta);
  for (const ActualId& id : removed) Forget(app, id, delta);
  for (const ActualLrp& lrp : changed) Resolve(guid, app, lrp, delta);
  if (rerouted) {
    const auto known = app.lrps;  // Resolve changes it
    for (const auto& [id, lrp] : known) Resolve(guid, app, lrp, delta);
  }
  if (app.routing.mapped.empty() && app.lrps.empty()) apps_.erase(at);
}

std::vector<ProcessGuid> RouteTable::AppsWith(const Route& route) const {
  std::vector<ProcessGuid> apps;
  for (const auto& [guid, app] : apps_) {
    const auto& mapped = app.routing.mapped;
    if (std::ranges::find(mapped, route, &MappedRoute::route) != mapped.end()) apps.push_back(guid);
  }
  return apps;
}

std::vector<RouteTable::Shared> RouteTable::SharedBy(const ProcessGuid& guid, std::size_t most) const {
  std::vector<Shared> all;
  const auto app = apps_.find(guid);
  if (app == apps_.end()) return all;
  for (const MappedRoute& mapped : app->second.routing.mapped) {
    if (all.size() == most) break;
    std::vector<ProcessGuid> others;
    if (const auto known = mapped_.find(mapped.route); known != mapped_.end() && known->second > 1) others = AppsWith(mapped.route);
    std::erase(others, guid);
    if (!others.empty()) all.push_back({mapped.route, std::move(others)});
  }
  return all;
}

std::vector<Endpoint> RouteTable::Serving() const {
  std::vector<Endpoint> endpoints;
  for (const auto& [guid, app] : apps_) {
    for (const auto& [id, routes] : app.routes) {
      if (!routes.draining) endpoints.insert(endpoints.end(), routes.endpoints.begin(), routes.endpoints.end());
    }
  }
  return endpoints;
}

std::vector<Endpoint> RouteTable::Draining() const {
  std::vector<Endpoint> endpoints;
  for (const auto& [guid, app] : apps_) {
    for (const auto& [id, routes] : app.routes) {
      if (routes.draining) endpoints.insert(endpoints.end(), routes.endpoints.begin(), routes.endpoints.end());
    }
  }
  return endpoints;
}

std::vector<Endpoint> RouteTable::ServingOf(const ProcessGuid& guid) const { return EndpointsOf(guid, false); }
std::vector<Endpoint> RouteTable::DrainingOf(const ProcessGuid& guid) const { return EndpointsOf(guid, true); }

std::vector<Endpoint> RouteTable::EndpointsOf(const ProcessGuid& guid, bool draining) const {
  std::vector<Endpoint> endpoints;
  const auto app = apps_.find(guid);
  if (app == apps_.end()) return endpoints;
  for (const auto& [id, routes] : app->second.routes) {
    if (routes.draining == draining)
      endpoints.insert(endpoints.end(), routes.endpoints.begin(), routes.endpoints.end());
  }
  return endpoints;
}

std::vector<Route> RouteTable::Mapped() const {
  std::vector<Route> routes;
  routes.reserve(mapped_.size());
  for (const auto& [route, apps] : mapped_) routes.push_back(route);
  return routes;
}

std::vector<Route> RouteTable::Unserved(const ProcessGuid& guid) const {
  std::vector<Route> unserved;
  const auto app = apps_.find(guid);
  if (app == apps_.end() || !app->second.routing.wanted) return unserved;
  for (const MappedRoute& route : app->second.routing.mapped) {
    const bool served = std::ranges::any_of(app->second.routes, [&](const auto& one) {
      return !one.second.draining && Find(one.second.endpoints, route.route);
    });
    if (!served) unserved.push_back(route.route);
  }
  return unserved;
}

std::vector<std::pair<ProcessGuid, Route>> RouteTable::UnservedAfter(ProcessGuid& after, std::size_t apps) const {
  std::vector<std::pair<ProcessGuid, Route>> unserved;
  auto at = apps_.upper_bound(after);
  for (std::size_t looked = 0; looked < apps && at != apps_.end(); ++looked, ++at) {
    after = at->first;
    for (Route& route : Unserved(at->first)) unserved.emplace_back(at->first, std::move(route));
  }
  if (at == apps_.end()) after = ProcessGuid();
  return unserved;
}

const InstanceRoutes* RouteTable::FindServing(const ActualId& id) const {
  const auto guid = apps_of_.find(id);
  if (guid == apps_of_.end()) return nullptr;
  const auto& routes = apps_.at(guid->second).routes;
  const auto at = routes.find(id);
  return at == routes.end() || at->second.draining ? nullptr : &at->second;
}

ProcessGuid RouteTable::AppOf(const ActualId& id) const {
  const auto at = apps_of_.find(id);
  return at == apps_of_.end() ? ProcessGuid() : at->second;
}

bool RouteTable::Matches(const ProcessGuid& guid, const AppRouting& routing,
                         const std::map<ActualId, ActualLrp>& lrps) const {
  const auto at = apps_.find(guid);
  const App none;
  const App& ours = at == apps_.end() ? none : at->second;
  App theirs{.routing = routing, .lrps = {}, .routes = {}};
  RouteTable fresh;
  RouteDelta ignored;
  for (const auto& [id, lrp] : lrps) fresh.Resolve(guid, theirs, lrp, ignored);
  const auto serving = [](const App& app) {
    std::vector<InstanceRoutes> routes;
    for (const auto& [id, one] : app.routes) {
      if (!one.draining) routes.push_back(one);
    }
    return routes;
  };
  if (!std::ranges::all_of(ours.routes, [&](const auto& one) { return lrps.contains(one.first); })) return false;
  // Of an app without routes it need not be known whether it is wanted.
  return ours.routing.mapped == routing.mapped && (routing.mapped.empty() || ours.routing.wanted == routing.wanted) &&
         serving(ours) == serving(theirs);
}

std::vector<ProcessGuid> RouteTable::Between(const ProcessGuid& after, const std::optional<ProcessGuid>& last,
                                             std::size_t most) const {
  std::vector<ProcessGuid> guids;
  for (auto at = apps_.upper_bound(after); at != apps_.end() && (!last || !(*last < at->first)) && guids.size() < most;
       ++at) {
    guids.push_back(at->first);
  }
  return guids;
}

}  // namespace baton
