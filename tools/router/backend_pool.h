// Which backend of the fixed pool serves which host name. HAProxy's own host map is the memory: a host name keeps the
// backend that the map gives it, over restarts of either side. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/router/haproxy_view.h"
#include "tools/router/route_table.h"

namespace baton {

struct BackendAssignment {
  std::map<std::string, std::string> backend_of;  // host name -> backend of the pool
  std::set<std::string> unserved;                 // host names for which the pool had no backend left
  std::set<std::string> moved_in;                 // backends that serve another host name than before
};

// Never takes a backend away from a host name that has one: an overfull pool refuses newcomers only. Among free
// backends, first one without servers, so that requests that still run on leftovers share it with nobody.
BackendAssignment AssignBackends(const RouteTable& table, const HaproxyView& view);

}  // namespace baton
