// Diego's routes: router name -> JSON. "cf-router" and "tcp-router" are understood, as Cloud Foundry writes them: keys
// that mean nothing here, and other routers' JSON, are kept and handed out as they are.
#pragma once

#include "baton/v1/desired_lrp.pb.h"
#include "orchestrator/base/result.h"
#include "orchestrator/model/route.h"

namespace baton::wire {

inline constexpr std::size_t kRouteBytesMax = 128 << 10;  // of all values together (Diego)

// INVALID_ARGUMENT naming the route: JSON that is none, a host name, path or port that is none, too many bytes. Of two
// ports for one route the lower one counts: apps that were stored before this was refused stay readable. So do those
// that were stored while "tcp-router" meant nothing here: of a kStored one that cannot be read nothing is mapped.
enum class RoutesOrigin { kRequest, kStored };
Result<Routes> RoutesFrom(const v1::ProtoRoutes& message, RoutesOrigin origin = RoutesOrigin::kRequest);
// Of a request, after RoutesFrom. INVALID_ARGUMENT: a route with two ports.
Status CheckOnePortEach(const v1::ProtoRoutes& message);
void Fill(const Routes& routes, v1::ProtoRoutes& message);
v1::ProtoRoutes ToMessage(const Routes& routes);

}  // namespace baton::wire
