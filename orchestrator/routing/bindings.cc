#include "orchestrator/routing/bindings.h"

#include <algorithm>

namespace baton {

Ports::Ports(const Definition& definition, const Routes& routes)
    : open(definition.ports), aliases(definition.port_aliases) {
  const auto known = routes.bindings.find(definition.id);
  if (known != routes.bindings.end()) bindings = known->second;
}

bool Ports::Has(std::uint32_t port) const { return std::ranges::find(open, port) != open.end(); }

Binding DefaultBinding(std::uint32_t port, const Ports& ports) {
  if (ports.Has(port)) return {port};
  const auto alias = ports.aliases.find(port);
  if (alias != ports.aliases.end() && ports.Has(alias->second)) return {alias->second};
  if (ports.open.size() == 1) return {ports.open.front()};
  return {};
}

Binding BindingOf(const MappedRoute& route, const Ports& ports) {
  if (!ports.bindings.empty()) {
    const auto bound = ports.bindings.find(route.route);
    if (bound != ports.bindings.end()) return bound->second;
  }
  return DefaultBinding(route.port, ports);
}

Bindings KeptBindings(const std::vector<MappedRoute>& routes, const Bindings& wanted, const Ports& ports) {
  Bindings kept;
  for (const MappedRoute& route : routes) {
    const auto at = wanted.find(route.route);
    if (at != wanted.end() && at->second != DefaultBinding(route.port, ports)) kept.insert(*at);
  }
  return kept;
}

}  // namespace baton
