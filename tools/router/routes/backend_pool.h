// Which backend serves which route: of the fixed pool for HTTP, of its own port for TCP. HAProxy's own map is the
// memory: a route keeps the backend that the map gives it, over restarts of either side. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/router/haproxy/haproxy_view.h"
#include "tools/router/routes/route_key.h"
#include "tools/router/routes/route_table.h"

namespace baton::router {

struct BackendAssignment {
  std::map<RouteKey, std::string> backend_of;  // route -> backend of its own
  std::set<RouteKey> idle;                     // mapped, and no endpoint that serves
  std::set<RouteKey> unserved;                 // HTTP routes for which the pool had no backend left
  std::map<RouteKey, std::string> refused;     // TCP routes whose port cannot be had, and why
  std::set<std::string> moved_in;              // backends that serve another route than before
};

// Never takes a backend away from a route that has one: an overfull pool refuses newcomers only. Among free
// backends, first one without servers, so that requests that still run on leftovers keep their backend to themselves.
BackendAssignment AssignBackends(const RouteTable& table, const HaproxyView& view);

// What is to be in HAProxy's map: see MapKey.
std::map<std::string, std::string> MapEntries(const BackendAssignment& assignment);

}  // namespace baton::router
