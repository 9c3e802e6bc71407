// Diego's routes: router name -> JSON. "cf-router" is understood, others are kept as they are.
#pragma once

#include "baton/v1/desired_lrp.pb.h"
#include "orchestrator/model/result.h"
#include "orchestrator/model/route.h"

namespace baton::wire {

inline constexpr std::size_t kRouteBytesMost = 128 << 10;  // of all values together (Diego)

// INVALID_ARGUMENT naming the route: JSON that is none, a host name or a port that is none, too many bytes.
Result<Routes> RoutesFrom(const v1::ProtoRoutes& message);
void Fill(const Routes& routes, v1::ProtoRoutes& message);
v1::ProtoRoutes ToMessage(const Routes& routes);

}  // namespace baton::wire
