#include "orchestrator/wire/messages/routes.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "orchestrator/wire/limits/text.h"

namespace baton::wire {
namespace {

using Json = nlohmann::json;

constexpr char kHttpRouter[] = "cf-router";
constexpr char kTcpRouter[] = "tcp-router";
constexpr std::size_t kPathBytesMax = 128;  // Cloud Controller's limit
constexpr std::size_t kGroupBytesMax = 255;
constexpr int kWildcardLabelsMax = 16;  // as the router takes them

// What the router takes (tools/router/routes/naming.h): with a name that it refuses the app would be unreachable.
bool IsHostName(std::string_view name) {
  const bool wildcard = name.starts_with("*.");
  if (wildcard) name.remove_prefix(2);
  if (wildcard && std::ranges::count(name, '.') >= kWildcardLabelsMax) return false;
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= 253 && std::ranges::all_of(name, fits);
}

// Whole segments of characters that mean nothing to a command line or to HAProxy, and percent signs as they come.
bool IsPath(std::string_view path) {
  if (path.empty()) return true;
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("/-._~%+=@:,").find(c) != std::string_view::npos;
  };
  return path.size() <= kPathBytesMax && path.find("//") == std::string_view::npos &&
         (std::string(path) + "/").find("/./") == std::string::npos &&
         (std::string(path) + "/").find("/../") == std::string::npos && std::ranges::all_of(path, fits);
}

Result<Route> HttpRoute(const Json& value, const std::string& where) {
  if (!value.is_string()) return InvalidArgument(where + " must be a text");
  const std::string text = value.get<std::string>();
  const std::size_t slash = std::min(text.find('/'), text.size());
  Route route{.hostname = text.substr(0, slash), .path = text.substr(slash), .external_port = 0, .router_group = {}};
  std::ranges::transform(route.hostname, route.hostname.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  while (route.path.ends_with('/')) route.path.pop_back();
  if (!IsHostName(route.hostname)) {
    return InvalidArgument(where +
                           " is no host name with a path; a host name takes 1 to 253 of [a-z0-9._-], perhaps after "
                           "'*.' (then at most 16 labels), without a port");
  }
  if (!IsPath(route.path)) {
    return InvalidArgument(where + " has a path that no request has; a path takes at most " +
                           std::to_string(kPathBytesMax) +
                           " bytes of whole segments, without '//', '.', '..', '?' and '#'");
  }
  return route;
}

Result<std::uint32_t> Port(const Json& route, const char* field, const std::string& where) {
  if (!route.contains(field) || !route[field].is_number_integer()) {
    return InvalidArgument(where + "." + field + " must be a number");
  }
  const auto port = route[field].get<std::int64_t>();
  if (Status status = CheckRange(where + "." + field, port, 1, 65535); !status) return status.error();
  return static_cast<std::uint32_t>(port);
}

Status ReadHttp(const Json& route, const std::string& where, std::vector<MappedRoute>& mapped) {
  if (!route.is_object() || !route.contains("hostnames") || !route["hostnames"].is_array() || !route.contains("port") ||
      !route["port"].is_number_integer()) {
    return InvalidArgument(where + R"( must be {"hostnames": [...], "port": N})");
  }
  const auto port = Port(route, "port", where);
  if (!port) return port.error();
  int index = 0;
  for (const auto& value : route["hostnames"]) {
    auto named = HttpRoute(value, where + ".hostnames[" + std::to_string(index++) + "]");
    if (!named) return named.error();
    mapped.push_back({*std::move(named), *port});
  }
  return Done{};
}

Status ReadTcp(const Json& route, const std::string& where, std::vector<MappedRoute>& mapped) {
  if (!route.is_object()) return InvalidArgument(where + R"( must be {"external_port": N, "container_port": N})");
  const auto external = Port(route, "external_port", where);
  if (!external) return external.error();
  const auto container = Port(route, "container_port", where);
  if (!container) return container.error();
  Route named{.hostname = {}, .path = {}, .external_port = *external, .router_group = {}};
  if (route.contains("router_group_guid")) {
    if (!route["router_group_guid"].is_string()) return InvalidArgument(where + ".router_group_guid must be a text");
    named.router_group = route["router_group_guid"].get<std::string>();
    const auto prints = [](char c) { return c > ' ' && c < 127; };
    if (named.router_group.size() > kGroupBytesMax || !std::ranges::all_of(named.router_group, prints)) {
      return InvalidArgument(
          where + ".router_group_guid is not what it may be; it takes at most 255 printed characters, without blanks");
    }
  }
  mapped.push_back({std::move(named), *container});
  return Done{};
}

using ReadOne = Status (*)(const Json&, const std::string&, std::vector<MappedRoute>&);

Status ReadList(const Routes& routes, const char* router, ReadOne read, std::vector<MappedRoute>& mapped) {
  const auto found = routes.payloads.find(router);
  if (found == routes.payloads.end()) return Done{};
  const auto json = Json::parse(found->second, nullptr, /*allow_exceptions=*/false);
  const std::string name = std::string("routes.") + router;
  if (!json.is_array()) return InvalidArgument(name + " is not a JSON list");
  int index = 0;
  for (const auto& route : json) {
    if (Status status = read(route, name + "[" + std::to_string(index++) + "]", mapped); !status) return status;
  }
  return Done{};
}

}  // namespace

Result<Routes> RoutesFrom(const v1::ProtoRoutes& message, RoutesOrigin origin) {
  Routes routes;
  std::size_t bytes = 0;
  for (const auto& [router, json] : message.routes()) {
    if (Status status = CheckName("routes: the router's name", router); !status) return status.error();
    bytes += json.size();
    routes.payloads[router] = json;
  }
  if (bytes > kRouteBytesMax) {
    return InvalidArgument("routes take " + std::to_string(bytes) + " bytes; they may take " +
                           std::to_string(kRouteBytesMax) + " at most");
  }
  if (Status status = ReadList(routes, kHttpRouter, ReadHttp, routes.mapped); !status) return status.error();
  std::vector<MappedRoute> tcp;
  if (Status status = ReadList(routes, kTcpRouter, ReadTcp, tcp); status) {
    std::ranges::move(tcp, std::back_inserter(routes.mapped));
  } else if (origin == RoutesOrigin::kRequest) {
    return status.error();
  }
  std::ranges::sort(routes.mapped);
  const auto repeated = std::ranges::unique(routes.mapped, {}, &MappedRoute::route);  // the lowest port leads
  routes.mapped.erase(repeated.begin(), repeated.end());
  return routes;
}

Status CheckOnePortEach(const v1::ProtoRoutes& message) {
  Routes routes;
  for (const auto& [router, json] : message.routes()) routes.payloads[router] = json;
  std::vector<MappedRoute> mapped;
  if (Status status = ReadList(routes, kHttpRouter, ReadHttp, mapped); !status) return status;
  if (Status status = ReadList(routes, kTcpRouter, ReadTcp, mapped); !status) return status;
  std::ranges::sort(mapped);
  const auto differ = [](const MappedRoute& a, const MappedRoute& b) { return a.route == b.route && a.port != b.port; };
  const auto twice = std::ranges::adjacent_find(mapped, differ);
  if (twice == mapped.end()) return Done{};
  return InvalidArgument("routes: " + Name(twice->route) + " is mapped to port " + std::to_string(twice->port) +
                         " and to port " + std::to_string(std::next(twice)->port) +
                         "; a route leads to one port of an instance");
}

void Fill(const Routes& routes, v1::ProtoRoutes& message) {
  for (const auto& [router, json] : routes.payloads) (*message.mutable_routes())[router] = json;
}

v1::ProtoRoutes ToMessage(const Routes& routes) {
  v1::ProtoRoutes message;
  Fill(routes, message);
  return message;
}

}  // namespace baton::wire
