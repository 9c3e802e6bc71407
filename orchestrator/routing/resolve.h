// The endpoints of an instance: the app's routes, led by the bindings of the instance's own definition.
#pragma once

#include <vector>

#include "orchestrator/model/actual_lrp.h"
#include "orchestrator/model/app_state.h"
#include "orchestrator/routing/bindings.h"

namespace baton {

// The endpoints that an instance has by its app's routes: none unless it is RUNNING with net info. Whether it is
// routable is not asked here.
std::vector<Endpoint> ResolveEndpoints(const ProcessGuid& guid, const std::vector<MappedRoute>& routes,
                                       const ActualLrp& lrp, const Ports& own);

// Whether ResolveEndpoints gives any.
bool HasEndpoint(const std::vector<MappedRoute>& routes, const ActualLrp& lrp, const Ports& own);

}  // namespace baton
