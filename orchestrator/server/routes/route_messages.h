// Endpoints and changes of the route table as messages.
#pragma once

#include "baton/v2/routes_service.pb.h"
#include "orchestrator/app/routers/route_link.h"
#include "orchestrator/app/routers/routes.h"
#include "orchestrator/model/fleet/route_consumer.h"

namespace baton {

inline constexpr int kRouteProtocol = 1;

v2::Endpoint ToMessage(const Endpoint& endpoint);
v2::Endpoint ToMessage(const RouteBook::ListedEndpoint& listed);
// INVALID_ARGUMENT: more than 10,000, or a number that none can be.
Result<RouteLoads::OfInstances> FromMessage(const v2::RouteLoad& message);
// `view`: nothing where it has no stream to this leader.
v2::RouteConsumer ToMessage(const RouteConsumerRecord& record, const RouteBook::View* view);
v2::RouteMessage ToMessage(const RouteSnapshot& snapshot);
v2::RouteMessage ToMessage(const RouteChange& change);

}  // namespace baton
