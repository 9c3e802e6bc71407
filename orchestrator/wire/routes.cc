#include "orchestrator/wire/routes.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "orchestrator/wire/text.h"

namespace baton::wire {
namespace {

constexpr char kHttpRouter[] = "cf-router";

Error Invalid(std::string message) { return Error{ErrorKind::kInvalidArgument, std::move(message)}; }

Result<std::string> HostName(const nlohmann::json& value, const std::string& where) {
  if (!value.is_string()) return Invalid(where + " must be a text");
  std::string name = value.get<std::string>();
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  // What the router takes (tools/router/naming.h): a name that it refused would be an app that nobody can reach.
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_';
  };
  if (name.empty() || name.size() > 253 || !std::ranges::all_of(name, fits)) {
    return Invalid(where + " is " + Shown(name) +
                   "; a host name takes 1 to 253 of [a-z0-9._-], without a port, a path or wildcards");
  }
  return name;
}

Status ReadRoute(const nlohmann::json& route, const std::string& where, std::vector<HttpRoute>& http) {
  if (!route.is_object() || !route.contains("hostnames") || !route["hostnames"].is_array() || !route.contains("port") ||
      !route["port"].is_number_integer()) {
    return Invalid(where + R"( must be {"hostnames": [...], "port": N})");
  }
  const auto port = route["port"].get<std::int64_t>();
  if (Status status = CheckRange(where + ".port", port, 1, 65535); !status) return status;
  int index = 0;
  for (const auto& value : route["hostnames"]) {
    auto name = HostName(value, where + ".hostnames[" + std::to_string(index++) + "]");
    if (!name) return name.error();
    http.push_back({std::move(*name), static_cast<std::uint32_t>(port)});
  }
  return Done{};
}

}  // namespace

Result<Routes> RoutesFrom(const v1::ProtoRoutes& message) {
  Routes routes;
  std::size_t bytes = 0;
  for (const auto& [router, json] : message.routes()) {
    if (Status status = CheckName("routes: the router's name", router); !status) return status.error();
    bytes += json.size();
    routes.payloads[router] = json;
  }
  if (bytes > kRouteBytesMost) {
    return Invalid("routes take " + std::to_string(bytes) + " bytes; they may take " + std::to_string(kRouteBytesMost) +
                   " at most");
  }
  const auto found = routes.payloads.find(kHttpRouter);
  if (found == routes.payloads.end()) return routes;
  const auto json = nlohmann::json::parse(found->second, nullptr, /*allow_exceptions=*/false);
  if (!json.is_array()) return Invalid("routes.cf-router is not a JSON list: " + Shown(found->second));
  int index = 0;
  for (const auto& route : json) {
    const Status status = ReadRoute(route, "routes.cf-router[" + std::to_string(index++) + "]", routes.http);
    if (!status) return status.error();
  }
  std::ranges::sort(routes.http);
  const auto repeated = std::ranges::unique(routes.http);
  routes.http.erase(repeated.begin(), repeated.end());
  return routes;
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
