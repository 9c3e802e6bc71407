// Which port a route means, for any ports.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "orchestrator/routing/resolve.h"

namespace baton {
namespace {

// Some of 1 to 5, in any order.
std::vector<std::uint32_t> AnyPorts() {
  std::vector<std::uint32_t> ports;
  for (std::uint32_t port = 1; port <= 5; ++port) {
    if (*rc::gen::inRange(0, 3) == 0) ports.push_back(port);
  }
  if (*rc::gen::arbitrary<bool>()) std::ranges::reverse(ports);
  return ports;
}

RC_GTEST_PROP(Ports, ARouteLeadsToAPortOfTheInstanceItself, ()) {
  const auto own = AnyPorts();
  const auto active = AnyPorts();
  const std::uint32_t port = *rc::gen::inRange<std::uint32_t>(1, 6);
  const auto resolved = ResolvePort(port, own, active);
  const bool has = std::ranges::find(own, port) != own.end();
  if (resolved) RC_ASSERT(std::ranges::find(own, *resolved) != own.end());
  if (has) RC_ASSERT(resolved == port);
  if (!has && own.size() != 1) RC_ASSERT(!resolved);  // never guessed among several
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
