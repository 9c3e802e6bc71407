// Endpoints and changes of the route table as messages.
#pragma once

#include "baton/v2/routes_service.pb.h"
#include "orchestrator/app/route_link.h"

namespace baton {

inline constexpr int kRouteProtocol = 1;

v2::Endpoint ToMessage(const Endpoint& endpoint);
v2::RouteMessage ToMessage(const RouteSnapshot& snapshot);
v2::RouteMessage ToMessage(const RouteChange& change);

}  // namespace baton
