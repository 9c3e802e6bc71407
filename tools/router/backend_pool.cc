#include "tools/router/backend_pool.h"

#include <algorithm>

namespace baton {
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

}  // namespace

BackendAssignment AssignBackends(const RouteTable& table, const HaproxyView& view) {
  BackendAssignment assignment;
  std::set<std::string> taken;
  for (const auto& [hostname, endpoints] : table.hosts()) {
    const auto route = view.routes.find(hostname);
    if (route == view.routes.end()) continue;
    if (!std::binary_search(view.pool.begin(), view.pool.end(), route->second)) continue;
    if (taken.insert(route->second).second) assignment.backend_of.emplace(hostname, route->second);
  }
  std::vector<std::string> free = FreeBackends(view, taken);
  for (const auto& [hostname, endpoints] : table.hosts()) {
    if (assignment.backend_of.contains(hostname)) continue;
    if (free.empty()) {
      assignment.unserved.insert(hostname);
      continue;
    }
    assignment.moved_in.insert(free.back());
    assignment.backend_of.emplace(hostname, std::move(free.back()));
    free.pop_back();
  }
  return assignment;
}

}  // namespace baton
