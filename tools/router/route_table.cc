#include "tools/router/route_table.h"

namespace baton {

void RouteTable::Replace(RouteRevisionId revision, const std::vector<RouteEndpoint>& endpoints) {
  hosts_.clear();
  for (const RouteEndpoint& endpoint : endpoints) {
    RouteEndpoint& kept = hosts_[endpoint.hostname][endpoint.actual_id];
    const bool draining = kept.draining || endpoint.draining;
    kept = endpoint;
    kept.draining = draining;
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
  revision_ = revision;
}

std::size_t RouteTable::EndpointCount() const {
  std::size_t count = 0;
  for (const auto& [hostname, endpoints] : hosts_) count += endpoints.size();
  return count;
}

std::set<std::string> RouteTable::DrainingInstances() const {
  std::set<std::string> draining;
  std::set<std::string> serving;
  for (const auto& [hostname, endpoints] : hosts_) {
    for (const auto& [actual_id, endpoint] : endpoints) (endpoint.draining ? draining : serving).insert(actual_id);
  }
  for (const std::string& actual_id : serving) draining.erase(actual_id);
  return draining;
}

void RouteTable::Put(const RouteEndpoint& endpoint) { hosts_[endpoint.hostname][endpoint.actual_id] = endpoint; }

void RouteTable::Remove(const RouteEndpointKey& key) {
  const auto host = hosts_.find(key.hostname);
  if (host == hosts_.end()) return;
  host->second.erase(key.actual_id);
  if (host->second.empty()) hosts_.erase(host);
}

}  // namespace baton
