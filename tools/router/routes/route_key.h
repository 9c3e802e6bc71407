// What requests are told apart by: a host name with or without a path, or a TCP port of the router's own; and how each
// is written in HAProxy's map. Pure.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::router {

// A request's host name is looked up once for each number of labels that a wildcard's suffix may have.
inline constexpr std::size_t kWildcardLabelsMax = 16;

struct RouteKey {
  std::string hostname;             // "a.example" or "*.example"; empty: a TCP route
  std::string path;                 // "" (every path) or "/api"; never ends in '/'
  std::uint32_t external_port = 0;  // of a TCP route
  std::string router_group;         // of a TCP route; may be empty

  auto operator<=>(const RouteKey&) const = default;
  bool tcp() const { return hostname.empty(); }
};

// Why HAProxy cannot be told of it; nothing if it can. All that goes into a command is checked here.
std::optional<std::string> FaultOf(const RouteKey& route);

// For people: "a.example/api", "tcp:1024", "tcp:1024 of group GUID".
std::string Text(const RouteKey& route);

// As a line of the map begins. Of HTTP routes, each ends in '/', so that the longest entry that a request's own
// "HOST PATH/" begins with is the route of the longest path, by whole segments: "a.example/api/" takes "/api" and
// "/api/x", not "/apis". A wildcard is "example*/": the last labels of the request's host name with '*' behind them,
// which no host name has. TCP routes are looked up by nobody; the map remembers which backend each has: ":1024/GROUP".
std::string MapKey(const RouteKey& route);
// Nothing for what MapKey does not make.
std::optional<RouteKey> FromMapKey(std::string_view key);

}  // namespace baton::router
