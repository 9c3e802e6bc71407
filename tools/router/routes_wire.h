// Messages of Routes.Connect to and from the router's own values. Endpoints that HAProxy could not take are left out.
#pragma once

#include <string>
#include <vector>

#include "baton/v2/routes_service.pb.h"
#include "tools/router/route_table.h"

namespace baton {

inline constexpr int kRouteProtocolVersion = 1;

// An endpoint that is not served, and why.
struct RefusedEndpoint {
  std::string hostname;
  std::string actual_id;
  std::string reason;
};

RouteRevisionId RevisionOf(const v2::RouteRevision& revision);

// Served and draining ones, the latter marked.
std::vector<RouteEndpoint> EndpointsOf(const v2::RouteSnapshot& snapshot, std::vector<RefusedEndpoint>& refused);
RouteDelta DeltaOf(const v2::RouteChange& change, std::vector<RefusedEndpoint>& refused);

v2::RouteConsumerMessage HelloMessage(const std::string& consumer_id);
v2::RouteConsumerMessage AppliedMessage(RouteRevisionId revision);
v2::RouteConsumerMessage DrainedMessage(const std::vector<std::string>& actual_ids);
v2::RouteConsumerMessage HeartbeatMessage();
v2::RouteConsumerMessage GoodbyeMessage();

}  // namespace baton
