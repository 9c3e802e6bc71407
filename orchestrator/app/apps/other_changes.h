// What an update changes beside the desired LRP and its definition: a roll that is retried, port aliases, and the route
// targets that follow from them. Pure.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/model/app_state.h"

namespace baton {

struct OtherChange {
  std::string name;    // "roll.state", "port_aliases.8080", "route_ports.shop.example"
  std::string before;  // empty: not there
  std::string after;
};

// `after`: what the update leaves, before any step of the planner.
std::vector<OtherChange> OtherChanges(const AppState& before, const AppState& after);

}  // namespace baton
