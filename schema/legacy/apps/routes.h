// Diego's routes against what Baton understands of them.
#pragma once

#include <string>
#include <vector>

#include "baton/v1/desired_lrp.pb.h"

namespace baton {

// The keys of Diego's routes whose values Baton understands.
inline constexpr char kHttpRouter[] = "cf-router";
inline constexpr char kTcpRouter[] = "tcp-router";

struct ReadableRoutes {
  v1::ProtoRoutes routes;           // without what is left out
  std::vector<std::string> faults;  // each with what was left out and why
};

// Host names that Baton does not route (with a path, with a wildcard) and routers' words that are no such thing are
// left out one by one; what is left is taken by wire::RoutesFrom, its sum of bytes excepted.
ReadableRoutes KeepReadable(const v1::ProtoRoutes& routes);

}  // namespace baton
