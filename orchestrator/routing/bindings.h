// Which container port a route leads to in the instances of one definition. Host names belong to the app, the port
// behind a host name belongs to the definition (docs/decisions/0026): the active definition never matters.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/model/definition.h"
#include "orchestrator/model/route.h"

namespace baton {

// What of a definition decides where its instances' routes lead.
struct Ports {
  Ports() = default;
  Ports(std::initializer_list<std::uint32_t> ports) : open(ports) {}
  Ports(std::vector<std::uint32_t> ports) : open(std::move(ports)) {}
  // Of one definition of the app that has these routes.
  Ports(const Definition& definition, const Routes& routes);

  bool Has(std::uint32_t port) const;

  std::vector<std::uint32_t> open;
  std::map<std::uint32_t, std::uint32_t> aliases;  // what a route's port means here -> one of `open`
  Bindings bindings;                               // as Routes::bindings has them for it

  bool operator==(const Ports&) const = default;
};

// Where a route leads that was mapped to `port`, if nothing else was said for this definition: that port, if it has
// it; else what it has for an alias of it; else its only port; else nowhere.
Binding DefaultBinding(std::uint32_t port, const Ports& ports);

// Where the route leads in instances with these ports.
Binding BindingOf(const MappedRoute& route, const Ports& ports);

// The bindings of a definition whose routes are to lead where `wanted` says: only what differs from the default is
// kept, so that most definitions need none.
Bindings KeptBindings(const std::vector<MappedRoute>& routes, const Bindings& wanted, const Ports& ports);

}  // namespace baton
