#include "orchestrator/routing/resolve.h"

#include <algorithm>
#include <set>

namespace baton {

namespace {

bool Has(const Ports& ports, std::uint32_t port) { return std::ranges::find(ports.open, port) != ports.open.end(); }

}  // namespace

std::optional<std::uint32_t> ResolvePort(std::uint32_t port, const Ports& own, const Ports& active) {
  if (Has(own, port)) return port;
  const auto alias = own.aliases.find(port);
  if (alias != own.aliases.end() && Has(own, alias->second)) return alias->second;
  // The route names a port of the new definition already: the old one has the port that it was called before.
  for (const auto& [before, now] : active.aliases) {
    if (now == port && Has(own, before)) return before;
  }
  if (own.open.size() == 1 && active.open.size() == 1) return own.open.front();
  return std::nullopt;
}

std::vector<Endpoint> ResolveEndpoints(const ProcessGuid& guid, const std::vector<HttpRoute>& routes,
                                       const ActualLrp& lrp, const Ports& own, const Ports& active) {
  std::vector<Endpoint> endpoints;
  if (lrp.state != LrpState::kRunning) return endpoints;
  for (const HttpRoute& route : routes) {
    const auto port = ResolvePort(route.port, own, active);
    if (!port) continue;
    const auto mapping = std::ranges::find(lrp.net_info.ports, *port, &PortMapping::container_port);
    if (mapping == lrp.net_info.ports.end()) continue;
    const auto same = [&](const Endpoint& e) { return e.hostname == route.hostname; };
    if (std::ranges::any_of(endpoints, same)) continue;  // two ports of one host name: the first leads
    endpoints.push_back({route.hostname, lrp.id, lrp.net_info.address, mapping->host_port, guid, lrp.index,
                         lrp.instance_guid, lrp.definition});
  }
  return endpoints;
}

std::vector<std::string> UnroutableHostNames(const std::vector<HttpRoute>& routes, const Ports& ports) {
  std::set<std::string> all;
  std::set<std::string> reached;
  for (const HttpRoute& route : routes) {
    all.insert(route.hostname);
    if (ResolvePort(route.port, ports, ports)) reached.insert(route.hostname);
  }
  std::vector<std::string> missing;
  std::ranges::set_difference(all, reached, std::back_inserter(missing));
  return missing;
}

}  // namespace baton
