// The connected route consumers (routers): sends them the routing table, and stores their acknowledgements. On
// connecting a consumer gets the whole table, and so acknowledges it again to each new leader.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/app/leader/loop.h"
#include "orchestrator/app/leader/roller.h"
#include "orchestrator/app/routers/new_routers.h"
#include "orchestrator/app/routers/route_audit.h"
#include "orchestrator/app/routers/route_link.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "orchestrator/ports/registry.h"
#include "orchestrator/routing/measured_apps.h"
#include "orchestrator/routing/route_loads.h"
#include "orchestrator/routing/route_table.h"

namespace baton {

class RouteBook {
 public:
  struct Timing {
    Duration heartbeat = seconds(1);
    Duration lease = seconds(30);
  };
  RouteBook(Roller& roller, Loop& loop, Registry& registry, Log& log, Metrics& metrics, Timing timing);

  // --- From the transport, from any thread.
  void Connected(std::shared_ptr<RouteLink> link, ConsumerId id, std::string version);
  void Heard(const ConsumerId& id, const RouteLink* link);
  void Applied(const ConsumerId& id, const RouteLink* link, std::int64_t epoch, std::int64_t number);
  void Drained(const ConsumerId& id, const RouteLink* link, std::vector<ActualId> instances);
  void Load(const ConsumerId& id, const RouteLink* link, RouteLoads::OfInstances loads);
  void Disconnected(const ConsumerId& id, const RouteLink* link, bool goodbye);
  // Compares these apps, as read, with the routing table.
  void Audit(RouteAudit::Apps apps, RouteAudit::Done done);
  // What is known of each stream. `done` is called on the loop.
  struct View {
    bool in_step = false;
    std::size_t unacknowledged = 0;
  };
  void Views(std::function<void(std::map<ConsumerId, View>)> done);
  // An operator removes the router: its stream ends, and no hand-over waits for it. NOT_FOUND: it is not registered.
  void Remove(const ConsumerId& id, const AuditEntry& audited, Registry::Answer done);
  struct ListedEndpoint {
    Endpoint endpoint;
    bool draining = false;
    std::optional<RouteLoads::Sum> load;
  };
  // Of one app, or of all where `guid` is empty.
  void Endpoints(ProcessGuid guid, bool with_draining, std::function<void(std::vector<ListedEndpoint>)> done);
  // What rows do not say of an app. `done` is called on the loop.
  struct Facts {
    std::vector<RouteTable::Shared> shared;  // routes that others have as well, some of them
    std::map<int, RouteLoads::Sum> drains;   // by slot: the instance that drains
  };
  void FactsOf(const ProcessGuid& guid, std::function<void(const Facts&)> done);
  // Routes that no instance serves, of some apps after that one, and the app to go on from; empty: that was all. `done`
  // is called on the loop.
  struct Unserved {
    std::vector<std::pair<ProcessGuid, Route>> routes;
    ProcessGuid next;
  };
  void UnservedAfter(ProcessGuid after, std::function<void(Unserved)> done);

  // From any thread: which names count for hand-overs.
  NewRouters& names() { return names_; }

  // --- From the store, from any thread: what a commit changed.
  void OnCommitted(const Committed& committed);

  // --- On the loop. Until Loaded consumers wait. Apps are loaded by who leads, and by who stands by.
  void Lead(std::int64_t epoch);
  void Clear();
  void Load(const AppState& app);
  void Loaded();
  void Follow();

 private:
  class Acknowledgement;
  class RouteApplied;
  class RouteDrained;
  struct Consumer {
    std::shared_ptr<RouteLink> link;
    std::string version;
    Loop::Steady::time_point last_heard;
    bool registered = false;
    TimePoint registered_at;  // by the database's clock; and by this machine's
    Loop::Steady::time_point registered_here;
    bool in_step = false;  // it has applied the table that it got on connecting
    std::int64_t told = 0;  // the revision of that table
    std::optional<Loop::Steady::time_point> told_at;  // the first time since it connected
    // Instances in the order of the revision that they came with, not yet acknowledged.
    std::deque<std::pair<std::int64_t, ActualId>> pending;
  };
  struct Note {
    ProcessGuid guid;
    std::optional<AppRouting> routing;
    std::vector<ActualLrp> changed;
    std::vector<ActualId> removed;
    std::optional<bool> rolls;
  };

  Consumer* Find(const ConsumerId& id, const RouteLink* link);
  void Take(const Note& note);
  void SayShared(const ProcessGuid& guid, const Route& route);
  void TakeAnew(const AppState& app);
  void SetApp(const AppState& app, RouteDelta& delta);
  // An acknowledgement that was not stored is asked for again.
  void AskAgainIfLost(const ConsumerId& id, const RouteLink* link, const Status& status);
  void Publish(RouteDelta delta, MeasuredApps::Change load);
  void SendSnapshot(Consumer& consumer);
  void Unregister(const ConsumerId& id, const std::optional<AuditEntry>& audited, Registry::Answer done);
  void Tick(int life);

  Roller& roller_;
  Loop& loop_;
  Registry& registry_;
  Log& log_;
  Metrics& metrics_;
  Timing timing_;
  bool leading_ = false;
  bool loaded_ = false;
  int life_ = 0;
  std::int64_t epoch_ = 0;
  std::int64_t number_ = 0;
  RouteTable table_;
  RouteAudit audit_{table_, roller_, loop_};
  MeasuredApps measured_;
  RouteLoads loads_;
  std::map<ConsumerId, Consumer> consumers_;
  NewRouters names_;
};

}  // namespace baton
