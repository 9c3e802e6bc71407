// Messages of Routes.Connect to and from the router's own values. What HAProxy could not take is left out.
#pragma once

#include <string>
#include <vector>

#include "baton/v2/routes_service.pb.h"
#include "tools/router/haproxy/load_meter.h"
#include "tools/router/routes/route_table.h"

namespace baton::router {

inline constexpr int kRouteProtocolVersion = 1;

// A route, or an endpoint of one, that is not served, and why.
struct RefusedRoute {
  std::string route;
  std::string actual_id;  // empty: the route itself
  std::string reason;
};

RouteRevisionId RevisionOf(const v2::RouteRevision& revision);

// `router_group`: TCP routes of other groups are not this router's; if it is empty, all are. What drains is known all
// the same, whatever is wrong with it: batond waits until its instance is reported.

// Served and draining ones, the latter marked.
std::vector<RouteEndpoint> EndpointsOf(const v2::RouteSnapshot& snapshot, const std::string& router_group,
                                       std::vector<RefusedRoute>& refused);
std::vector<RouteKey> RoutesOf(const v2::RouteSnapshot& snapshot, const std::string& router_group,
                               std::vector<RefusedRoute>& refused);
RouteDelta DeltaOf(const v2::RouteChange& change, const std::string& router_group, std::vector<RefusedRoute>& refused);

v2::RouteConsumerMessage HelloMessage(const std::string& consumer_id);
v2::RouteConsumerMessage AppliedMessage(RouteRevisionId revision);
v2::RouteConsumerMessage DrainedMessage(const std::vector<std::string>& actual_ids);
v2::RouteConsumerMessage LoadMessage(const std::vector<InstanceLoad>& loads);
v2::RouteConsumerMessage HeartbeatMessage();
v2::RouteConsumerMessage GoodbyeMessage();

}  // namespace baton::router
