#include "tools/router/routes/backend_pool.h"

#include <algorithm>

#include "tools/router/routes/naming.h"

namespace baton::router {
namespace {

// Free backends, those without servers last, so that they are the first to be taken from the back; within each kind
// the lowest number last.
std::vector<std::string> FreeBackends(const HaproxyView& view, const std::set<std::string>& taken) {
  std::vector<std::string> free;
  for (const std::string& backend : view.pool) {
    if (!taken.contains(backend)) free.push_back(backend);
  }
  std::reverse(free.begin(), free.end());
  std::stable_partition(free.begin(), free.end(),
                        [&](const std::string& backend) { return view.servers.contains(backend); });
  return free;
}

// Whether this backend of HAProxy's may serve the route.
bool Fits(const RouteKey& route, const std::string& backend, const HaproxyView& view) {
  if (!route.tcp()) return std::binary_search(view.pool.begin(), view.pool.end(), backend);
  return backend == TcpBackendName(route.external_port) &&
         std::binary_search(view.tcp.begin(), view.tcp.end(), backend);
}

bool Serves(const RouteTable::Endpoints& endpoints) {
  return std::any_of(endpoints.begin(), endpoints.end(), [](const auto& entry) { return !entry.second.draining; });
}

void AssignPort(const RouteKey& route, const HaproxyView& view, std::set<std::string>& taken,
                BackendAssignment& assignment) {
  std::string backend = TcpBackendName(route.external_port);
  if (!Fits(route, backend, view)) {
    assignment.refused.emplace(route, "the port is not one of this router's --tcp-ports");
  } else if (!taken.insert(backend).second) {
    assignment.refused.emplace(route, "the port is taken by a route of another router group");
  } else {
    assignment.moved_in.insert(backend);
    assignment.backend_of.emplace(route, std::move(backend));
  }
}

}  // namespace

BackendAssignment AssignBackends(const RouteTable& table, const HaproxyView& view) {
  BackendAssignment assignment;
  std::set<std::string> taken;
  for (const auto& [route, endpoints] : table.routes()) {
    const auto mapped = view.routes.find(MapKey(route));
    if (mapped == view.routes.end() || !Fits(route, mapped->second, view)) continue;
    if (taken.insert(mapped->second).second) assignment.backend_of.emplace(route, mapped->second);
  }
  std::vector<std::string> free = FreeBackends(view, taken);
  for (const auto& [route, endpoints] : table.routes()) {
    if (assignment.backend_of.contains(route)) continue;
    if (!Serves(endpoints)) {
      assignment.idle.insert(route);
    } else if (route.tcp()) {
      AssignPort(route, view, taken, assignment);
    } else if (free.empty()) {
      assignment.unserved.insert(route);
    } else {
      assignment.moved_in.insert(free.back());
      assignment.backend_of.emplace(route, std::move(free.back()));
      free.pop_back();
    }
  }
  for (const RouteKey& route : table.mapped()) {
    if (!table.routes().contains(route)) assignment.idle.insert(route);
  }
  return assignment;
}

std::map<std::string, std::string> MapEntries(const BackendAssignment& assignment) {
  std::map<std::string, std::string> entries;
  for (const auto& [route, backend] : assignment.backend_of) entries.emplace(MapKey(route), backend);
  for (const RouteKey& route : assignment.idle) entries.emplace(MapKey(route), kIdleBackend);
  for (const RouteKey& route : assignment.unserved) entries.emplace(MapKey(route), kFullBackend);
  for (const auto& [route, reason] : assignment.refused) entries.emplace(MapKey(route), kFullBackend);
  return entries;
}

}  // namespace baton::router
