#include "tests/sim/routes.h"

#include <algorithm>

namespace baton::sim {
namespace {

constexpr std::uint32_t kPorts[] = {8080, 9090, 7070, 2222};

std::uint32_t OneOf(Rng& rng, const std::vector<std::uint32_t>& ports) {
  return ports[static_cast<std::size_t>(rng.Between(0, static_cast<std::int64_t>(ports.size()) - 1))];
}

std::uint32_t AnyPort(Rng& rng) { return OneOf(rng, {std::begin(kPorts), std::end(kPorts)}); }

}  // namespace

std::vector<std::uint32_t> PortsOf(const DefinitionId& id) {
  switch (id.str().back()) {
    case '1': return {8080};
    case '2': return {8080, 2222};
    case '3': return {9090, 2222};
    case '4': return {7070};
    case '5': return {8080, 9090, 2222};
    default: return {7070, 2222};
  }
}

Routes SomeRoutes(Rng& rng, const ProcessGuid& guid, const std::vector<std::uint32_t>& ports) {
  const std::string host = guid.str() + ".example";
  const Route all[] = {{.hostname = host, .path = {}, .external_port = 0, .router_group = {}},
                       {.hostname = host, .path = "/api", .external_port = 0, .router_group = {}},
                       {.hostname = "*." + host, .path = {}, .external_port = 0, .router_group = {}},
                       {.hostname = {}, .path = {}, .external_port = 1024, .router_group = {}}};
  Routes routes;
  for (const Route& route : all) {
    const bool first = routes.mapped.empty() && &route == &all[3];
    if (first || rng.Percent(60)) routes.mapped.push_back({route, OneOf(rng, ports)});
  }
  std::ranges::sort(routes.mapped);
  return routes;
}

std::map<std::uint32_t, std::uint32_t> SomeAliases(Rng& rng, const std::vector<std::uint32_t>& ports) {
  std::map<std::uint32_t, std::uint32_t> aliases;
  for (std::int64_t i = rng.Between(1, 2); i > 0; --i) aliases[AnyPort(rng)] = OneOf(rng, ports);
  return aliases;
}

}  // namespace baton::sim
