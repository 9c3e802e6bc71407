#include "orchestrator/routing/resolve.h"

#include <algorithm>

namespace baton {
namespace {

const PortMapping* MappingOf(const ActualLrp& lrp, const MappedRoute& route, const Ports& own) {
  const Binding binding = BindingOf(route, own);
  if (binding.port == 0) return nullptr;
  const auto mapping = std::ranges::find(lrp.net_info.ports, binding.port, &PortMapping::container_port);
  return mapping == lrp.net_info.ports.end() ? nullptr : &*mapping;
}

}  // namespace

std::vector<Endpoint> ResolveEndpoints(const ProcessGuid& guid, const std::vector<MappedRoute>& routes,
                                       const ActualLrp& lrp, const Ports& own) {
  std::vector<Endpoint> endpoints;
  if (lrp.state != LrpState::kRunning) return endpoints;
  for (const MappedRoute& route : routes) {
    if (const PortMapping* mapping = MappingOf(lrp, route, own)) {
      endpoints.push_back({route.route, lrp.id, lrp.net_info.address, mapping->host_port, guid, lrp.index,
                           lrp.instance_guid, lrp.definition});
    }
  }
  return endpoints;
}

bool HasEndpoint(const std::vector<MappedRoute>& routes, const ActualLrp& lrp, const Ports& own) {
  if (lrp.state != LrpState::kRunning) return false;
  return std::ranges::any_of(routes, [&](const MappedRoute& route) { return MappingOf(lrp, route, own) != nullptr; });
}

}  // namespace baton
