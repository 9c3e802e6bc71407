// A route as tests write it, "a.example", "*.example/api", ":1024" or ":1024/GROUP", and an endpoint of one.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "tools/router/routes/route_key.h"
#include "tools/router/routes/route_table.h"

namespace baton::router {

inline RouteKey RouteOf(const std::string& text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  if (!text.starts_with(':')) return {.hostname = text.substr(0, slash), .path = text.substr(slash)};
  RouteKey route{.external_port = static_cast<std::uint32_t>(std::stoul(text.substr(1)))};
  if (slash < text.size()) route.router_group = text.substr(slash + 1);
  return route;
}

inline RouteEndpoint At(const std::string& route, std::string actual_id, std::uint32_t port = 80,
                        bool draining = false) {
  return {.route = RouteOf(route),
          .actual_id = std::move(actual_id),
          .address = "10.0.0.1",
          .port = port,
          .draining = draining};
}

}  // namespace baton::router
