#include "orchestrator/model/route.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace baton {
namespace {

constexpr std::string_view kTcp = "tcp:";

}  // namespace

std::string Name(const Route& route) {
  if (route.external_port == 0) return route.hostname + route.path;
  const std::string group = route.router_group.empty() ? std::string() : "@" + route.router_group;
  return std::string(kTcp) + std::to_string(route.external_port) + group;
}

Route RouteNamed(const std::string& name) {
  if (!name.starts_with(kTcp)) {
    const std::size_t path = std::min(name.find('/'), name.size());
    return {.hostname = name.substr(0, path), .path = name.substr(path), .external_port = 0, .router_group = {}};
  }
  Route route;
  const char* end = name.data() + name.size();
  const auto [at, error] = std::from_chars(name.data() + kTcp.size(), end, route.external_port);
  if (error != std::errc() || route.external_port == 0 || route.external_port > 65535) return {};
  if (at != end && *at == '@') route.router_group.assign(at + 1, end);
  return route;
}

bool SameEndpoints(const NetInfo& one, const NetInfo& other) {
  const auto same = [](const PortMapping& a, const PortMapping& b) {
    return a.container_port == b.container_port && a.host_port == b.host_port;
  };
  return one.address == other.address && std::ranges::equal(one.ports, other.ports, same);
}

}  // namespace baton
