#include "tools/router/routes/route_key.h"

#include <algorithm>
#include <charconv>

#include "tools/router/routes/naming.h"

namespace baton::router {
namespace {

constexpr std::string_view kWildcard = "*.";

std::optional<std::string> FaultOfHost(std::string_view hostname) {
  if (!hostname.starts_with(kWildcard)) {
    if (IsHostName(hostname)) return std::nullopt;
    return "the host name is not of lower case letters, digits and -_.";
  }
  const std::string_view suffix = hostname.substr(kWildcard.size());
  if (!IsHostName(suffix) || suffix.starts_with('.') || suffix.ends_with('.')) {
    return "the wildcard is not '*.' and a host name of lower case letters, digits and -_.";
  }
  const auto labels = static_cast<std::size_t>(std::count(suffix.begin(), suffix.end(), '.')) + 1;
  if (labels > kWildcardLabelsMax) {
    return "the wildcard's suffix has more than " + std::to_string(kWildcardLabelsMax) + " labels";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> FaultOf(const RouteKey& route) {
  if (route.external_port != 0 || route.tcp()) {
    if (!route.hostname.empty() || !route.path.empty()) return "it has both a TCP port and a host name or a path";
    if (route.external_port == 0) return "it has neither a host name nor a TCP port";
    if (route.external_port > kPortMax) return "the external port is not 1 to 65535";
    if (!route.router_group.empty() && !IsServerName(route.router_group)) {
      return "the router group is not of [A-Za-z0-9._:-]";
    }
    return std::nullopt;
  }
  if (!route.router_group.empty()) return "it has both a router group and a host name";
  if (const auto fault = FaultOfHost(route.hostname)) return fault;
  if (!route.path.empty() && !IsRoutePath(route.path)) {
    return "the path is not '/' and up to 1023 of [A-Za-z0-9/._~!$&'()*+,=:@%-]";
  }
  return std::nullopt;
}

std::string Text(const RouteKey& route) {
  if (!route.tcp()) return route.hostname + route.path;
  return "tcp:" + std::to_string(route.external_port) +
         (route.router_group.empty() ? "" : " of group " + route.router_group);
}

std::string MapKey(const RouteKey& route) {
  if (route.tcp()) return ":" + std::to_string(route.external_port) + "/" + route.router_group;
  if (!route.hostname.starts_with(kWildcard)) return route.hostname + route.path + "/";
  return route.hostname.substr(kWildcard.size()) + "*" + route.path + "/";
}

std::optional<RouteKey> FromMapKey(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  RouteKey route;
  if (key.starts_with(':')) {
    const char* end = key.data() + slash;
    const auto read = std::from_chars(key.data() + 1, end, route.external_port);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    route.router_group = key.substr(slash + 1);
  } else {
    if (!key.ends_with('/')) return std::nullopt;
    const bool wildcard = slash > 0 && key[slash - 1] == '*';
    route.hostname = wildcard ? "*." + std::string(key.substr(0, slash - 1)) : std::string(key.substr(0, slash));
    route.path = key.substr(slash, key.size() - 1 - slash);
  }
  if (FaultOf(route)) return std::nullopt;
  return route;
}

}  // namespace baton::router
