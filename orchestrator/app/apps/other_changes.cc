#include "orchestrator/app/apps/other_changes.h"

#include <map>
#include <utility>

#include "orchestrator/model/names.h"
#include "orchestrator/routing/bindings.h"

namespace baton {
namespace {

std::string PortText(std::uint32_t port) { return port == 0 ? "" : std::to_string(port); }

const Definition* Of(const AppState& app, const DefinitionId& id) {
  const auto at = app.desired ? app.definitions.find({app.desired->incarnation, id}) : app.definitions.end();
  return at == app.definitions.end() ? nullptr : &at->second;
}

// By route port: the definition's own before and now; 0: none.
std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> ChangedAliases(const Definition* was,
                                                                                const Definition& is) {
  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> aliases;
  if (was) {
    for (const auto& [route, own] : was->port_aliases) aliases[route].first = own;
  }
  for (const auto& [route, own] : is.port_aliases) aliases[route].second = own;
  std::erase_if(aliases, [](const auto& one) { return one.second.first == one.second.second; });
  return aliases;
}

void AddRoutePorts(const AppState& before, const AppState& after, std::vector<OtherChange>& changes) {
  const Definition* const was = before.desired ? Of(before, before.desired->active) : nullptr;
  if (!was) return;
  const Ports left(*was, before.desired->routes), goes_to(*Of(after, after.desired->active), after.desired->routes);
  for (const MappedRoute& route : after.desired->routes.mapped) {
    const std::uint32_t led = BindingOf(route, left).port, leads = BindingOf(route, goes_to).port;
    if (led != leads) changes.push_back({"route_ports." + Name(route.route), PortText(led), PortText(leads)});
  }
}

}  // namespace

std::vector<OtherChange> OtherChanges(const AppState& before, const AppState& after) {
  std::vector<OtherChange> changes;
  if (before.roll && after.roll && before.roll->id == after.roll->id && before.roll->state != after.roll->state) {
    changes.push_back({"roll.state", std::string(Name(before.roll->state)), std::string(Name(after.roll->state))});
  }
  const Definition* const active = after.desired ? Of(after, after.desired->active) : nullptr;
  if (!active) return changes;
  const auto aliases = ChangedAliases(Of(before, active->id), *active);
  for (const auto& [route, own] : aliases) {
    changes.push_back({"port_aliases." + PortText(route), PortText(own.first), PortText(own.second)});
  }
  if (!aliases.empty()) AddRoutePorts(before, after, changes);
  return changes;
}

}  // namespace baton
