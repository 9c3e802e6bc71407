// The difference between the route table and what HAProxy has, as commands of its runtime socket. Pure.
#pragma once

#include <string>
#include <vector>

#include "tools/router/haproxy/haproxy_view.h"
#include "tools/router/routes/backend_pool.h"
#include "tools/router/routes/route_table.h"

namespace baton::router {

// What is said of each server behind its address, in a configuration as at run time. HAProxy pools no connections to a
// server added at run time unless told to (measured); 1 s, because the purge halves the pool each time: an idle one is
// gone in 3 to 5 s. TCP connections are never pooled.
std::string ServerOptions(const RouteKey& route);

std::string ServerAddress(const std::string& address, std::uint32_t port);  // "127.0.0.1:80", "[::1]:80"

// Empty exactly when the table is in force. In this order, so that no route is without an endpoint in between and
// none gets another's: routes that are gone, or have no endpoint, off their backends in the map; servers of another
// route out of backends that change hands; new, moved and returning servers in; the map; then what is to drain or to
// go.
std::vector<std::string> PlanRoutes(const RouteTable& table, const BackendAssignment& assignment,
                                    const HaproxyView& view, const std::string& map_path);

// Servers that the table does not have, "backend/server", all in maintenance once the plan above is done.
std::vector<std::string> Leftovers(const RouteTable& table, const BackendAssignment& assignment,
                                   const HaproxyView& view);

}  // namespace baton::router
