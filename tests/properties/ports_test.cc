// Which port a route means, for any ports.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "orchestrator/routing/resolve.h"

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
  const auto active = AnyPorts();
  const std::uint32_t port = *rc::gen::inRange<std::uint32_t>(1, 6);
  const auto resolved = ResolvePort(port, own, active);
  const auto has = [&](std::uint32_t one) { return std::ranges::find(own.open, one) != own.open.end(); };
  if (resolved) RC_ASSERT(has(*resolved));
  if (has(port)) RC_ASSERT(resolved == port);
  const bool named = own.aliases.contains(port) ||
                     std::ranges::any_of(active.aliases, [&](const auto& alias) { return alias.second == port; });
  if (!has(port) && own.open.size() != 1 && !named) RC_ASSERT(!resolved);  // never guessed among several
}

RC_GTEST_PROP(Ports, AHostNameIsUnroutableExactlyWhereNoInstanceWouldAnswerIt, ()) {
  const auto ports = AnyPorts();
  std::vector<HttpRoute> routes;
  const int count = *rc::gen::inRange(0, 5);
  for (int i = 0; i < count; ++i) {
    const std::string host = *rc::gen::element<std::string>("a.example", "b.example");
    routes.push_back({host, *rc::gen::inRange<std::uint32_t>(1, 6)});
  }
  const auto missing = UnroutableHostNames(routes, ports);
  for (const std::string host : {"a.example", "b.example"}) {
    const bool wanted = std::ranges::any_of(routes, [&](const HttpRoute& r) { return r.hostname == host; });
    const bool answered = std::ranges::any_of(routes, [&](const HttpRoute& r) {
      return r.hostname == host && ResolvePort(r.port, ports, ports).has_value();
    });
    RC_ASSERT((std::ranges::find(missing, host) != missing.end()) == (wanted && !answered));
  }
}

}  // namespace
}  // namespace baton
