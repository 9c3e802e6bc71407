// The table of resolved endpoints, made from apps' routes and instances' rows. Pure: rows in, changes of endpoints out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "orchestrator/model/actual_lrp.h"
#include "orchestrator/model/app_state.h"
#include "orchestrator/model/route.h"
#include "orchestrator/routing/resolve.h"

namespace baton {

// What resolving an app's endpoints takes, beside its instances.
struct AppRouting {
  std::vector<MappedRoute> mapped;
  std::map<DefinitionKey, Ports> ports;
  bool wanted = false;  // it is to have instances

  bool operator==(const AppRouting&) const = default;
};
AppRouting RoutingOf(const AppState& app);

// An instance's endpoints and whether they are in use or drain; no endpoints: it is not in the table.
struct InstanceRoutes {
  ActualId id;
  InstanceGuid instance_guid;
  std::vector<Endpoint> endpoints;
  bool draining = false;

  bool operator==(const InstanceRoutes&) const = default;
};

struct RouteDelta {
  std::vector<Endpoint> added;
  std::vector<Endpoint> draining;
  std::vector<std::pair<Route, ActualId>> removed;
  std::vector<Route> mapped;    // routes that an app has from now on
  std::vector<Route> unmapped;  // and that no endpoint has any longer
  std::vector<Route> shared;    // that this app has from now on, and another one has already
  std::vector<ActualId> serving;  // instances that are newly to be applied by consumers
};

class RouteTable {
 public:
  bool Knows(const ProcessGuid& guid) const;
  // All rows of an app, or that it is gone. Of apps that come in the order of their guids, as a leader that begins reads
  // them, each has its place at once.
  void SetApp(const ProcessGuid& guid, const AppRouting& routing, const std::vector<ActualLrp>& lrps,
              RouteDelta& delta);
  // Some rows of an app whose routing is known; `removed` are gone.
  void Update(const ProcessGuid& guid, const std::optional<AppRouting>& routing, const std::vector<ActualLrp>& changed,
              const std::vector<ActualId>& removed, RouteDelta& delta);

  // Whether what is here of this app is what these rows make: its routes, what serves them, and of what drains all has
  // a row yet.
  bool Matches(const ProcessGuid& guid, const AppRouting& routing, const std::map<ActualId, ActualLrp>& lrps) const;

  std::vector<Endpoint> Serving() const;
  std::vector<Endpoint> Draining() const;
  std::vector<Endpoint> ServingOf(const ProcessGuid& guid) const;
  std::vector<Endpoint> DrainingOf(const ProcessGuid& guid) const;
  // Those that are here, from the one after `after` to `last` (nothing: to the end), `most` of them.
  std::vector<ProcessGuid> Between(const ProcessGuid& after, const std::optional<ProcessGuid>& last,
                                   std::size_t most) const;
  // Whose route it is, by guid.
  std::vector<ProcessGuid> AppsWith(const Route& route) const;
  struct Shared {
    Route route;
    std::vector<ProcessGuid> others;
  };
  // Routes of this app that another one has as well, `most` of them.
  std::vector<Shared> SharedBy(const ProcessGuid& guid, std::size_t most) const;
  // Every route that an app has, whether anything serves it or not.
  std::vector<Route> Mapped() const;
  // Routes of this app that no instance serves, although it is to have instances.
  std::vector<Route> Unserved(const ProcessGuid& guid) const;
  // Of so many apps from the one after `after` on; the last of them is left in `after`, or nothing: there are no more.
  std::vector<std::pair<ProcessGuid, Route>> UnservedAfter(ProcessGuid& after, std::size_t apps) const;
  // Nothing where it is not in the table as serving.
  const InstanceRoutes* FindServing(const ActualId& id) const;
  ProcessGuid AppOf(const ActualId& id) const;
  std::size_t size() const { return apps_of_.size(); }

 private:
  struct App {
    AppRouting routing;
    std::map<ActualId, ActualLrp> lrps;  // that have or had endpoints
    std::map<ActualId, InstanceRoutes> routes;
  };
  std::vector<Endpoint> EndpointsOf(const ProcessGuid& guid, bool draining) const;
  void Resolve(const ProcessGuid& guid, App& app, const ActualLrp& lrp, RouteDelta& delta);
  void Reroute(App& app, const AppRouting& routing, RouteDelta& delta);
  void Forget(App& app, const ActualId& id, RouteDelta& delta);
  void Update(std::map<ProcessGuid, App>::iterator at, const std::optional<AppRouting>& routing,
              const std::vector<ActualLrp>& changed, const std::vector<ActualId>& removed, RouteDelta& delta);

  std::map<ProcessGuid, App> apps_;
  std::unordered_map<ActualId, ProcessGuid> apps_of_;
  std::map<Route, int> mapped_;  // by how many apps
};

}  // namespace baton
