// Baton's routing table as received by this router: the desired state of HAProxy. A value; no I/O.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/router/routes/route_key.h"

namespace baton::router {

struct RouteRevisionId {
  std::int64_t epoch = 0;
  std::int64_t number = 0;
  auto operator<=>(const RouteRevisionId&) const = default;
};

struct RouteEndpoint {
  RouteKey route;
  std::string actual_id;
  std::string address;  // canonical, see CanonicalAddress
  std::uint32_t port = 0;
  bool draining = false;
  // Not one that this router serves (another router group's, or refused): it is only known while it drains, so that
  // its instance is reported.
  bool elsewhere = false;
  std::string app = {};  // its process_guid
  bool operator==(const RouteEndpoint&) const = default;
};

struct RouteEndpointKey {
  RouteKey route;
  std::string actual_id;
};

struct RouteDelta {
  std::vector<RouteEndpoint> added;
  std::vector<RouteEndpoint> draining;
  std::vector<RouteEndpointKey> removed;
  std::vector<RouteKey> mapped;
  std::vector<RouteKey> unmapped;
  std::vector<std::string> measured;  // apps
  std::vector<std::string> unmeasured;
};

class RouteTable {
 public:
  using Endpoints = std::map<std::string, RouteEndpoint>;  // by actual_id
  using Routes = std::map<RouteKey, Endpoints>;            // never with an empty entry

  // A snapshot: everything that is not in it is forgotten. Where an endpoint is both, draining wins. `mapped`: every
  // route that an app has; empty from a leader that does not tell them. `measured`: apps whose load is wanted.
  void Replace(RouteRevisionId revision, const std::vector<RouteEndpoint>& endpoints,
               const std::vector<RouteKey>& mapped = {}, const std::vector<std::string>& measured = {});
  // A change: removed first, then added, then draining; unmapped, then mapped. A draining endpoint that is unknown
  // becomes known, so that it is reported as drained; it gets no server.
  void Change(RouteRevisionId revision, const RouteDelta& delta);

  RouteRevisionId revision() const { return revision_; }
  // Routes with endpoints, draining ones too; each is mapped, whatever mapped() says.
  const Routes& routes() const { return routes_; }
  const std::set<RouteKey>& mapped() const { return mapped_; }
  std::size_t EndpointCount() const;
  // HTTP routes with endpoints: each needs a backend of the pool.
  std::size_t HttpRouteCount() const;
  // Instances all of whose endpoints are draining.
  std::set<std::string> DrainingInstances() const;
  // Whose load is wanted: of apps that are measured, and all that drain.
  std::set<std::string> MeasuredInstances() const;

 private:
  void Put(const RouteEndpoint& endpoint);
  void Remove(const RouteEndpointKey& key);

  RouteRevisionId revision_;
  Routes routes_;
  std::set<RouteKey> mapped_;
  std::set<std::string> measured_;                                // apps
  std::map<std::string, std::set<RouteKey>> draining_elsewhere_;  // by actual_id; never with an empty entry
};

}  // namespace baton::router
