#include "orchestrator/app/apps/bind_routes.h"

#include <algorithm>
#include <set>

namespace baton {
namespace {

std::string PortsOf(const Definition& definition) {
  std::string ports;
  for (const std::uint32_t port : definition.ports) ports += (ports.empty() ? "" : ", ") + std::to_string(port);
  return ports.empty() ? "no ports" : (definition.ports.size() == 1 ? "port " : "ports ") + ports;
}

Error Unroutable(const MappedRoute& route, const Definition& definition) {
  return Error{ErrorKind::kFailedPrecondition,
               "route " + Name(route.route) + " is mapped to port " + std::to_string(route.port) + ", and definition " +
                   definition.id.str() + " has " + PortsOf(definition) +
                   ": map it to one of these in the same update, name it in port_aliases, or say accept_unroutable"};
}

// One route in one definition.
struct Look {
  const MappedRoute& route;
  const Ports& ports;                    // the definition's, as they are now
  const std::optional<Binding>& before;  // where it led; nothing: the definition did not know the route
};

Binding First(std::initializer_list<Binding> choices) {
  const auto bound = std::ranges::find_if(choices, [](const Binding& one) { return one.port != 0; });
  return bound == choices.end() ? Binding() : *bound;
}

Binding If(bool holds, Binding binding) { return holds ? binding : Binding(); }

Binding AliasOf(std::uint32_t port, const Ports& ports) {
  const auto alias = ports.aliases.find(port);
  return If(alias != ports.aliases.end() && ports.Has(alias->second), {alias->second});
}

Binding OwnPort(std::uint32_t port, const Ports& ports) { return If(ports.Has(port), {port}); }

// Routes alone, or a definition that this update does not bring and a route that is new to it (rule 2).
Binding Remap(const Look& look, bool keep_known) {
  const Binding known = look.before.value_or(Binding());
  if (keep_known && known.port != 0) return known;
  return First({OwnPort(look.route.port, look.ports), known, DefaultBinding(look.route.port, look.ports)});
}

// The definition that the update brings, and the port behind the route in the one that was active (rule 1).
Binding Bring(const Look& look, const RouteUpdate& update, std::uint32_t active_port) {
  const std::uint32_t port = look.route.port;
  const Binding known = look.before.value_or(Binding());
  const Binding by_alias = First({AliasOf(active_port, look.ports), AliasOf(port, look.ports)});
  const Binding only = DefaultBinding(port, look.ports);
  if (update.routes_given) return First({OwnPort(port, look.ports), by_alias, known, only});
  const Binding renamed = If(update.aliases_given && !look.ports.Has(active_port), by_alias);
  return First({renamed, known, OwnPort(active_port, look.ports), by_alias, OwnPort(port, look.ports), only});
}

std::set<DefinitionId> RunOrAreAboutTo(const AppState& app) {
  std::set<DefinitionId> definitions;
  for (const auto& [id, lrp] : app.actuals) {
    if (lrp.incarnation == app.desired->incarnation && lrp.presence != Presence::kRetiring) {
      definitions.insert(lrp.definition);
    }
  }
  return definitions;
}

// Some route would have no endpoint (rule 3).
Status CheckServed(const AppState& app) {
  const std::int64_t incarnation = app.desired->incarnation;
  const Routes& routes = app.desired->routes;
  const Definition& active = app.definitions.at({incarnation, app.desired->active});
  const std::set<DefinitionId> running = RunOrAreAboutTo(app);
  for (const MappedRoute& route : routes.mapped) {
    const Binding binding = BindingOf(route, Ports(active, routes));
    if (binding.port != 0 || binding.accepted) continue;
    const bool served = std::ranges::any_of(running, [&](const DefinitionId& id) {
      return BindingOf(route, Ports(app.definitions.at({incarnation, id}), routes)).port != 0;
    });
    if (!served) return Unroutable(route, active);
  }
  return Done{};
}

std::optional<Binding> Known(const Bindings& before, const Route& route) {
  const auto at = before.find(route);
  if (at == before.end()) return std::nullopt;
  return at->second;
}

std::uint32_t PortIn(const BindingsBefore& before, const DefinitionKey& key, const Route& route) {
  const auto at = before.of.find(key);
  const auto known = at == before.of.end() ? std::nullopt : Known(at->second, route);
  return known ? known->port : 0;
}

}  // namespace

BindingsBefore TakeBindings(const AppState& app) {
  BindingsBefore before{.of = {}, .active = app.desired->active};
  for (const auto& [key, definition] : app.definitions) {
    if (key.incarnation != app.desired->incarnation) continue;
    const Ports ports(definition, app.desired->routes);
    Bindings& bindings = before.of[key];
    for (const MappedRoute& route : app.desired->routes.mapped) bindings[route.route] = BindingOf(route, ports);
  }
  return before;
}

Status CheckBound(const Routes& routes, const Definition& definition) {
  const Ports ports(definition, routes);
  for (const MappedRoute& route : routes.mapped) {
    const Binding binding = BindingOf(route, ports);
    if (binding.port == 0 && !binding.accepted) return Unroutable(route, definition);
  }
  return Done{};
}

Status BindRoutes(AppEdit& edit, const BindingsBefore& before, const RouteUpdate& update) {
  const AppState& app = edit.state();
  const auto routes = app.desired->routes.mapped;  // a copy: ChangeDesired hands out the original
  std::map<DefinitionId, Bindings> bindings = update.routes_given ? decltype(bindings)() : app.desired->routes.bindings;
  for (const auto& [key, definition] : app.definitions) {
    const bool brought = update.brings && key.id == *update.brings;
    if (key.incarnation != app.desired->incarnation || !(brought || update.routes_given)) continue;
    const Ports ports(definition, app.desired->routes);
    const auto known = before.of.find(key);
    Bindings wanted;
    for (const MappedRoute& route : routes) {
      const auto was = known == before.of.end() ? std::nullopt : Known(known->second, route.route);
      const Look look{route, ports, was};
      const std::uint32_t active_port = PortIn(before, {key.incarnation, before.active}, route.route);
      Binding& binding = wanted[route.route];
      binding = brought ? Bring(look, update, active_port) : Remap(look, /*keep_known=*/update.brings.has_value());
      const bool may_be = update.accept_unroutable && (brought || !update.brings);
      binding.accepted = binding.port == 0 && (may_be || (was && was->accepted));
    }
    Bindings kept = KeptBindings(routes, wanted, ports);
    kept.empty() ? void(bindings.erase(key.id)) : void(bindings[key.id] = std::move(kept));
  }
  if (bindings != app.desired->routes.bindings) edit.ChangeDesired().routes.bindings = std::move(bindings);
  if (update.brings) return CheckBound(app.desired->routes, app.definitions.at({app.desired->incarnation, *update.brings}));
  return update.routes_given ? CheckServed(app) : Status(Done{});
}

}  // namespace baton
