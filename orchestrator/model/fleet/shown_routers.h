// Of which routers people are shown the routes. What other routers keep in an app's routes is their own, and may be a
// secret: "diego-ssh" holds private keys.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace baton {

inline constexpr std::array<std::string_view, 3> kShownRouters = {"cf-router", "internal-router", "tcp-router"};

inline bool IsShownRouter(std::string_view router) {
  return std::ranges::find(kShownRouters, router) != kShownRouters.end();
}

}  // namespace baton
