// What passes between the leader and a route consumer, as values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/base/time.h"
#include "orchestrator/model/route.h"
#include "orchestrator/routing/measured_apps.h"

namespace baton {

struct EndpointKey {
  Route route;
  ActualId actual_id;

  auto operator<=>(const EndpointKey&) const = default;
};

struct RouteSnapshot {
  std::int64_t epoch = 0;
  std::int64_t number = 0;
  std::vector<Endpoint> endpoints;
  std::vector<Endpoint> draining;
  std::vector<Route> routes;  // every one that an app has, whether anything serves it or not
  std::vector<ProcessGuid> measured;
  Duration heartbeat{0};
  Duration lease{0};
};

struct RouteChange {
  std::int64_t epoch = 0;
  std::int64_t number = 0;
  std::vector<Endpoint> added;
  std::vector<Endpoint> draining;
  std::vector<EndpointKey> removed;
  std::vector<Route> mapped;
  std::vector<Route> unmapped;
  MeasuredApps::Change load;  // whose load is to be told

  bool empty() const {
    return added.empty() && draining.empty() && removed.empty() && mapped.empty() && unmapped.empty() && load.empty();
  }
};

// A route consumer's stream, from the leader's side.
class RouteLink {
 public:
  virtual ~RouteLink() = default;
  virtual void Send(const RouteSnapshot& snapshot) = 0;
  virtual void Send(const RouteChange& change) = 0;
  virtual void End(const std::string& reason) = 0;
};

}  // namespace baton
