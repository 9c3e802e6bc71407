// Which port of an instance a route leads to, by the ports of the instance's own definition (rolls.md, "Ports").
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "orchestrator/model/actual_lrp.h"
#include "orchestrator/model/app_state.h"

namespace baton {

// The container port that a route to `port` means for an instance with `own` ports, where the app's active definition
// has `active` ports: the same port; else, if both have exactly one, that; else none.
std::optional<std::uint32_t> ResolvePort(std::uint32_t port, const std::vector<std::uint32_t>& own,
                                         const std::vector<std::uint32_t>& active);

// The endpoints that an instance has by its app's routes: none unless it is RUNNING with net info. Whether it is
// routable is not asked here.
std::vector<Endpoint> ResolveEndpoints(const ProcessGuid& guid, const std::vector<HttpRoute>& routes,
                                       const ActualLrp& lrp, const std::vector<std::uint32_t>& own,
                                       const std::vector<std::uint32_t>& active);

// Host names that would have no endpoint if every instance ran `ports`.
std::vector<std::string> UnroutableHostNames(const std::vector<HttpRoute>& routes,
                                             const std::vector<std::uint32_t>& ports);

}  // namespace baton
