#include "tools/router/routes/route_table.h"

#include <algorithm>

namespace baton::router {

void RouteTable::Replace(RouteRevisionId revision, const std::vector<RouteEndpoint>& endpoints,
                         const std::vector<RouteKey>& mapped, const std::vector<std::string>& measured) {
  routes_.clear();
  draining_elsewhere_.clear();
  mapped_ = std::set<RouteKey>(mapped.begin(), mapped.end());
  measured_ = std::set<std::string>(measured.begin(), measured.end());
  for (const RouteEndpoint& endpoint : endpoints) {
    if (!endpoint.draining) Put(endpoint);
  }
  for (const RouteEndpoint& endpoint : endpoints) {
    if (endpoint.draining) Put(endpoint);
  }
  revision_ = revision;
}

void RouteTable::Change(RouteRevisionId revision, const RouteDelta& delta) {
  for (const RouteEndpointKey& key : delta.removed) Remove(key);
  for (const RouteEndpoint& endpoint : delta.added) Put(endpoint);
  for (RouteEndpoint endpoint : delta.draining) {
    endpoint.draining = true;
    Put(endpoint);
  }
  for (const RouteKey& route : delta.unmapped) mapped_.erase(route);
  mapped_.insert(delta.mapped.begin(), delta.mapped.end());
  for (const std::string& app : delta.unmeasured) measured_.erase(app);
  measured_.insert(delta.measured.begin(), delta.measured.end());
  revision_ = revision;
}

std::size_t RouteTable::EndpointCount() const {
  std::size_t count = 0;
  for (const auto& [route, endpoints] : routes_) count += endpoints.size();
  return count;
}

std::size_t RouteTable::HttpRouteCount() const {
  return static_cast<std::size_t>(
      std::count_if(routes_.begin(), routes_.end(), [](const auto& entry) { return !entry.first.tcp(); }));
}

std::set<std::string> RouteTable::DrainingInstances() const {
  std::set<std::string> draining;
  std::set<std::string> serving;
  for (const auto& [route, endpoints] : routes_) {
    for (const auto& [actual_id, endpoint] : endpoints) (endpoint.draining ? draining : serving).insert(actual_id);
  }
  for (const auto& [actual_id, routes] : draining_elsewhere_) draining.insert(actual_id);
  for (const std::string& actual_id : serving) draining.erase(actual_id);
  return draining;
}

std::set<std::string> RouteTable::MeasuredInstances() const {
  std::set<std::string> instances;
  for (const auto& [route, endpoints] : routes_) {
    for (const auto& [actual_id, endpoint] : endpoints) {
      if (endpoint.draining || measured_.contains(endpoint.app)) instances.insert(actual_id);
    }
  }
  return instances;
}

void RouteTable::Put(const RouteEndpoint& endpoint) {
  Remove({endpoint.route, endpoint.actual_id});
  if (!endpoint.elsewhere) {
    routes_[endpoint.route][endpoint.actual_id] = endpoint;
  } else if (endpoint.draining) {
    draining_elsewhere_[endpoint.actual_id].insert(endpoint.route);
  }
}

void RouteTable::Remove(const RouteEndpointKey& key) {
  if (const auto route = routes_.find(key.route); route != routes_.end()) {
    route->second.erase(key.actual_id);
    if (route->second.empty()) routes_.erase(route);
  }
  if (const auto instance = draining_elsewhere_.find(key.actual_id); instance != draining_elsewhere_.end()) {
    instance->second.erase(key.route);
    if (instance->second.empty()) draining_elsewhere_.erase(instance);
  }
}

}  // namespace baton::router
