// Where a route leads, for any ports.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "orchestrator/routing/bindings.h"

namespace baton {
namespace {

// Some of 1 to 5, in any order, with any aliases.
Ports AnyPorts() {
  Ports ports;
  for (std::uint32_t port = 1; port <= 5; ++port) {
    if (*rc::gen::inRange(0, 3) == 0) ports.open.push_back(port);
    if (*rc::gen::inRange(0, 5) == 0) ports.aliases[port] = *rc::gen::inRange<std::uint32_t>(1, 6);
  }
  if (*rc::gen::arbitrary<bool>()) std::ranges::reverse(ports.open);
  return ports;
}

RC_GTEST_PROP(Ports, ARouteLeadsToAPortOfTheInstanceItself, ()) {
  const auto own = AnyPorts();
  const std::uint32_t port = *rc::gen::inRange<std::uint32_t>(1, 6);
  const Binding binding = DefaultBinding(port, own);
  if (binding.port != 0) RC_ASSERT(own.Has(binding.port));
  if (own.Has(port)) RC_ASSERT(binding.port == port);
  if (!own.Has(port) && own.open.size() != 1 && !own.aliases.contains(port)) RC_ASSERT(binding.port == 0u);
}

RC_GTEST_PROP(Ports, WhatIsKeptSaysTheSameAsWhatWasWanted, ()) {
  Ports ports = AnyPorts();
  std::vector<MappedRoute> routes;
  Bindings wanted;
  for (const char* name : {"a.example", "a.example/api", "*.a.example", "tcp:1024"}) {
    routes.push_back({RouteNamed(name), *rc::gen::inRange<std::uint32_t>(1, 6)});
    wanted[routes.back().route] = {*rc::gen::inRange<std::uint32_t>(0, 6), *rc::gen::arbitrary<bool>()};
  }
  ports.bindings = KeptBindings(routes, wanted, ports);
  for (const MappedRoute& route : routes) RC_ASSERT(BindingOf(route, ports) == wanted.at(route.route));
}

}  // namespace
}  // namespace baton
