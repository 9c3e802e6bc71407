// `baton-router status`: what a HAProxy serves now, by its runtime socket alone.
#pragma once

#include <iosfwd>
#include <string>

#include "orchestrator/base/result.h"

namespace baton::router {

struct StatusQuestion {
  std::string socket;
  std::string map;  // empty: the map that HAProxy has by the name of hosts.map
  bool json = false;
};

// False if some route is not served: the pool is full, or its TCP port cannot be had.
Result<bool> PrintStatus(const StatusQuestion& question, std::ostream& out);

}  // namespace baton::router
