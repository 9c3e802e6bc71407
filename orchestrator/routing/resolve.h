// Which port of an instance a route leads to, by the ports of the instance's own definition (rolls.md, "Ports").
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "orchestrator/model/actual_lrp.h"
#include "orchestrator/model/app_state.h"

namespace baton {

// What of a definition decides where its instances' routes lead.
struct Ports {
  Ports() = default;
  Ports(std::initializer_list<std::uint32_t> ports) : open(ports) {}
  Ports(std::vector<std::uint32_t> ports) : open(std::move(ports)) {}
  Ports(const Definition& definition) : open(definition.ports), aliases(definition.port_aliases) {}

  std::vector<std::uint32_t> open;
  std::map<std::uint32_t, std::uint32_t> aliases;  // what a route's port means here -> one of `open`

  bool operator==(const Ports&) const = default;
};

// The container port that a route to `port` means for an instance with `own` ports, where the app's active definition
// has `active` ports: the same port; else an alias that either names, in whichever direction it was given; else, if
// both have exactly one, that; else none.
std::optional<std::uint32_t> ResolvePort(std::uint32_t port, const Ports& own, const Ports& active);

// The endpoints that an instance has by its app's routes: none unless it is RUNNING with net info. Whether it is
// routable is not asked here.
std::vector<Endpoint> ResolveEndpoints(const ProcessGuid& guid, const std::vector<HttpRoute>& routes,
                                       const ActualLrp& lrp, const Ports& own, const Ports& active);

// Host names that would have no endpoint if every instance ran `ports`.
std::vector<std::string> UnroutableHostNames(const std::vector<HttpRoute>& routes, const Ports& ports);

}  // namespace baton
