#include "orchestrator/app/routers/routes.h"

#include <algorithm>

#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/base/errors.h"

namespace baton {
namespace {

constexpr std::size_t kAppsOfALook = 1000;  // a millisecond or so, while everything else on the loop waits
constexpr std::size_t kSharedOfAnApp = 10;    // each is looked for among all apps

}  // namespace

// What a router says of one instance; said again where it was not stored.
class RouteBook::Acknowledgement : public AppCommand {
 public:
  struct From {
    ConsumerId id;
    const RouteLink* link;
  };
  Acknowledgement(RouteBook& book, const char* name, From from, const ProcessGuid& guid, const ActualId& instance)
      : AppCommand({.name = name, .guid = guid, .instance = instance, .actor = from.id.str()}), book_(book),
        from_(std::move(from)) {}
  void End(const Status& status) final { book_.AskAgainIfLost(from_.id, from_.link, status); }

 protected:
  const ConsumerId& consumer() const { return from_.id; }
  const ActualId& instance() const { return *header().instance; }

 private:
  RouteBook& book_;
  const From from_;
};

class RouteBook::RouteApplied final : public Acknowledgement {
 public:
  RouteApplied(RouteBook& book, From from, const ProcessGuid& guid, const ActualId& instance, InstanceGuid start)
      : Acknowledgement(book, "route_applied", std::move(from), guid, instance), start_(std::move(start)) {}
  Status Decide(AppEdit& edit) override { return DecideRouteApplied(edit, instance(), start_, consumer()); }

 private:
  const InstanceGuid start_;
};

class RouteBook::RouteDrained final : public Acknowledgement {
 public:
  RouteDrained(RouteBook& book, From from, const ProcessGuid& guid, const ActualId& instance)
      : Acknowledgement(book, "route_drained", std::move(from), guid, instance) {}
  Status Decide(AppEdit& edit) override { return DecideRouteDrained(edit, instance(), consumer()); }
};

RouteBook::RouteBook(Roller& roller, Loop& loop, Registry& registry, Log& log, Metrics& metrics, Timing timing)
    : roller_(roller), loop_(loop), registry_(registry), log_(log), metrics_(metrics), timing_(timing) {}

void RouteBook::Lead(std::int64_t epoch) {
  leading_ = true;
  loaded_ = false;
  epoch_ = epoch;
  number_ = 0;
  loads_ = RouteLoads();
  names_.Clear();
  Tick(++life_);
}

void RouteBook::Clear() {
  table_ = RouteTable();
  measured_ = MeasuredApps();
}

void RouteBook::Load(const AppState& app) {
  RouteDelta delta;
  // Endpoints that an instance drains as it had them are those of the rows: a standby has not seen all of what was between.
  if (table_.Knows(app.guid)) table_.SetApp(app.guid, {}, {}, delta);
  SetApp(app, delta);
  measured_.Set(app.guid, app.roll.has_value());
}

void RouteBook::SetApp(const AppState& app, RouteDelta& delta) {
  std::vector<ActualLrp> lrps;
  for (const auto& [id, lrp] : app.actuals) lrps.push_back(lrp);
  table_.SetApp(app.guid, RoutingOf(app), lrps, delta);
}

void RouteBook::Loaded() {
  loaded_ = true;
  number_ = 1;
  for (auto& [id, consumer] : consumers_) SendSnapshot(consumer);
}

void RouteBook::Follow() {
  leading_ = false;
  loaded_ = false;
  ++life_;
  for (auto& [id, consumer] : consumers_) {
    if (consumer.link) consumer.link->End(kLeadsNoMore);
  }
  consumers_.clear();
}

RouteBook::Consumer* RouteBook::Find(const ConsumerId& id, const RouteLink* link) {
  const auto at = consumers_.find(id);
  return at == consumers_.end() || at->second.link.get() != link ? nullptr : &at->second;
}

void RouteBook::OnCommitted(const Committed& committed) {
  const AppChanges& changes = committed.changes;
  Note note{committed.guid, {}, {}, {changes.removed.begin(), changes.removed.end()}, {}};
  const bool definitions = !changes.new_definitions.empty() || !changes.changed_definitions.empty();
  if (committed.whole && (changes.desired || definitions)) note.routing = RoutingOf(committed.after);
  for (const auto* ids : {&changes.inserted, &changes.changed}) {
    for (const ActualId& id : *ids) note.changed.push_back(committed.after.actuals.at(id));
  }
  if (changes.roll) note.rolls = committed.after.roll.has_value();
  if (note.routing || !note.changed.empty() || !note.removed.empty() || note.rolls) {
    loop_.Post([this, note = std::move(note)] { Take(note); });
  }
  // Behind what this very commit has changed: what differs then has been so before.
  if (committed.full_snapshot) loop_.Post([this, app = committed.after] { TakeAnew(app); });
}

void RouteBook::Take(const Note& note) {
  if (!leading_) return;
  RouteDelta delta;
  table_.Update(note.guid, note.routing, note.changed, note.removed, delta);
  for (const Route& route : delta.shared) SayShared(note.guid, route);
  auto load = note.rolls ? measured_.Set(note.guid, *note.rolls) : MeasuredApps::Change();
  if (loaded_) Publish(std::move(delta), std::move(load));
}

// It may be meant: two apps behind one name, as when one follows the other. It may be a name that was copied by mistake,
// and then half of the requests go to the wrong app.
void RouteBook::SayShared(const ProcessGuid& guid, const Route& route) {
  std::string others;
  for (const ProcessGuid& other : table_.AppsWith(route)) {
    if (other != guid) others += (others.empty() ? "" : ", ") + other.str();
  }
  log_.Warn("route_shared", {{"app", guid.str()}, {"route", Name(route)}, {"also_of", others}});
}

void RouteBook::TakeAnew(const AppState& app) {
  if (!leading_) return;
  audit_.BeforeAnew(app);
  RouteDelta delta;
  SetApp(app, delta);
  auto load = measured_.Set(app.guid, app.roll.has_value());
  if (loaded_) Publish(std::move(delta), std::move(load));
}

void RouteBook::Publish(RouteDelta delta, MeasuredApps::Change load) {
  RouteChange change{.epoch = epoch_,
                     .number = 0,
                     .added = std::move(delta.added),
                     .draining = std::move(delta.draining),
                     .removed = {},
                     .mapped = std::move(delta.mapped),
                     .unmapped = std::move(delta.unmapped),
                     .load = std::move(load)};
  for (auto& [route, id] : delta.removed) change.removed.push_back({route, id});
  if (change.empty()) return;
  change.number = ++number_;
  for (auto& [id, consumer] : consumers_) {
    if (!consumer.link || !consumer.registered) continue;
    for (const ActualId& instance : delta.serving) consumer.pending.emplace_back(change.number, instance);
    consumer.link->Send(change);
  }
}

void RouteBook::Connected(std::shared_ptr<RouteLink> link, ConsumerId id, std::string version) {
  loop_.Post([this, link = std::move(link), id, version] {
    if (!leading_) return link->End(kDoesNotLead);
    Consumer& consumer = consumers_[id];
    if (consumer.link) consumer.link->End("the consumer connected again");
    consumer = Consumer{.link = link, .version = version, .last_heard = Loop::Steady::now(), .pending = {}};
    log_.Info("route_consumer_connected", {{"consumer", id.str()}});
    registry_.RegisterConsumer(id, version, timing_.lease, [this, id, link](const Result<Registry::Registered>& registered) {
      if (registered) names_.Registered(id, registered->known, Loop::Steady::now());
      loop_.Post([this, id, link, registered] {
        Consumer* known = Find(id, link.get());
        if (!known) return;
        if (!registered) return known->link->End("it could not be registered: " + registered.error().message);
        known->registered = true;
        known->registered_at = registered->at;
        known->registered_here = Loop::Steady::now();
        if (loaded_) SendSnapshot(*known);
      });
    });
  });
}

void RouteBook::SendSnapshot(Consumer& consumer) {
  if (!consumer.link || !consumer.registered) return;
  const RouteSnapshot snapshot{.epoch = epoch_,
                               .number = number_,
                               .endpoints = table_.Serving(),
                               .draining = table_.Draining(),
                               .routes = table_.Mapped(),
                               .measured = {measured_.measured().begin(), measured_.measured().end()},
                               .heartbeat = timing_.heartbeat,
                               .lease = timing_.lease};
  consumer.pending.clear();
  consumer.told = number_;
  if (!consumer.told_at) consumer.told_at = Loop::Steady::now();
  std::set<ActualId> once;
  for (const Endpoint& endpoint : snapshot.endpoints) {
    if (once.insert(endpoint.actual_id).second) consumer.pending.emplace_back(number_, endpoint.actual_id);
  }
  consumer.link->Send(snapshot);
}

void RouteBook::Heard(const ConsumerId& id, const RouteLink* link) {
  loop_.Post([this, id, link] {
    if (Consumer* consumer = Find(id, link)) consumer->last_heard = Loop::Steady::now();
  });
}

void RouteBook::Applied(const ConsumerId& id, const RouteLink* link, std::int64_t epoch, std::int64_t number) {
  loop_.Post([this, id, link, epoch, number] {
    Consumer* consumer = Find(id, link);
    if (!consumer || epoch != epoch_) return;
    consumer->last_heard = Loop::Steady::now();
    if (!consumer->in_step && consumer->told > 0 && number >= consumer->told) {
      consumer->in_step = true;
      const auto since = Loop::Steady::now() - consumer->registered_here;
      names_.Serves(id, consumer->registered_at + std::chrono::duration_cast<Duration>(since));
    }
    while (!consumer->pending.empty() && consumer->pending.front().first <= number) {
      const ActualId instance = consumer->pending.front().second;
      consumer->pending.pop_front();
      const InstanceRoutes* routes = table_.FindServing(instance);
      if (!routes) continue;
      const Acknowledgement::From from{id, link};
      roller_.DoInstance(
          std::make_unique<RouteApplied>(*this, from, table_.AppOf(instance), instance, routes->instance_guid),
          /*wake=*/true);
    }
  });
}

void RouteBook::Drained(const ConsumerId& id, const RouteLink* link, std::vector<ActualId> instances) {
  loop_.Post([this, id, link, instances = std::move(instances)] {
    Consumer* consumer = Find(id, link);
    if (!consumer) return;
    consumer->last_heard = Loop::Steady::now();
    for (const ActualId& instance : instances) {
      const ProcessGuid guid = table_.AppOf(instance);
      if (guid.empty()) continue;  // gone already
      const Acknowledgement::From from{id, link};
      roller_.DoInstance(std::make_unique<RouteDrained>(*this, from, guid, instance), /*wake=*/true);
    }
  });
}

void RouteBook::Load(const ConsumerId& id, const RouteLink* link, RouteLoads::OfInstances loads) {
  loop_.Post([this, id, link, loads = std::move(loads)]() mutable {
    Consumer* consumer = Find(id, link);
    if (!consumer) return;
    consumer->last_heard = Loop::Steady::now();
    std::erase_if(loads, [this](const auto& entry) { return table_.AppOf(entry.first).empty(); });
    loads_.Take(id, std::move(loads), Loop::Steady::now());
  });
}

void RouteBook::AskAgainIfLost(const ConsumerId& id, const RouteLink* link, const Status& status) {
  if (status || !IsTransient(status.error())) return;
  loop_.Post([this, id, link, why = status.error().message] {
    // A consumer says each thing once a stream: on its next one it says all of it again.
    if (Consumer* consumer = Find(id, link)) consumer->link->End("an acknowledgement could not be stored: " + why);
  });
}

void RouteBook::Disconnected(const ConsumerId& id, const RouteLink* link, bool goodbye) {
  loop_.Post([this, id, link, goodbye] {
    Consumer* consumer = Find(id, link);
    if (!consumer) return;
    log_.Info(goodbye ? "route_consumer_left" : "route_consumer_disconnected", {{"consumer", id.str()}});
    consumers_.erase(id);
    loads_.Forget(id);
    if (!goodbye) return;  // it counts until its lease ends
    Unregister(id, std::nullopt, [this, id](const Status& status) {
      if (status || status.error().kind == ErrorKind::kNotFound) return;  // not found: an operator has removed it
      log_.Warn("route_consumer_not_removed", {{"consumer", id.str()}, {"error", status.error().message}});
    });
  });
}

void RouteBook::Remove(const ConsumerId& id, const AuditEntry& audited, Registry::Answer done) {
  loop_.Post([this, id, audited, done = std::move(done)]() mutable {
    if (const auto known = consumers_.find(id); known != consumers_.end()) {
      if (known->second.link) known->second.link->End("somebody said that it is gone");
      consumers_.erase(known);
      loads_.Forget(id);
    }
    Unregister(id, audited, std::move(done));
  });
}

void RouteBook::Unregister(const ConsumerId& id, const std::optional<AuditEntry>& audited, Registry::Answer done) {
  registry_.RemoveConsumer(id, audited, [this, done = std::move(done)](const Status& status) {
    if (status) roller_.WakeAllOnTheirWay();  // each of them may have waited for it alone
    done(status);
  });
}

void RouteBook::Views(std::function<void(std::map<ConsumerId, View>)> done) {
  loop_.Post([this, done = std::move(done)] {
    std::map<ConsumerId, View> views;
    for (const auto& [id, consumer] : consumers_) views[id] = {consumer.in_step, consumer.pending.size()};
    done(std::move(views));
  });
}

void RouteBook::Endpoints(ProcessGuid guid, bool with_draining, std::function<void(std::vector<ListedEndpoint>)> done) {
  loop_.Post([this, guid = std::move(guid), with_draining, done = std::move(done)] {
    const auto now = Loop::Steady::now();
    std::vector<ListedEndpoint> listed;
    const auto add = [&](std::vector<Endpoint> endpoints, bool draining) {
      for (Endpoint& endpoint : endpoints) {
        const auto load = loads_.Of(endpoint.actual_id, now);
        listed.push_back({std::move(endpoint), draining, load});
      }
    };
    add(guid.empty() ? table_.Serving() : table_.ServingOf(guid), false);
    if (with_draining) add(guid.empty() ? table_.Draining() : table_.DrainingOf(guid), true);
    done(std::move(listed));
  });
}

void RouteBook::FactsOf(const ProcessGuid& guid, std::function<void(const Facts&)> done) {
  loop_.Post([this, guid, done = std::move(done)] {
    Facts facts{table_.SharedBy(guid, kSharedOfAnApp), {}};
    for (const Endpoint& endpoint : table_.DrainingOf(guid)) {
      if (const auto load = loads_.Of(endpoint.actual_id, Loop::Steady::now())) facts.drains[endpoint.index] = *load;
    }
    done(facts);
  });
}

void RouteBook::UnservedAfter(ProcessGuid after, std::function<void(Unserved)> done) {
  loop_.Post([this, after = std::move(after), done = std::move(done)]() mutable {
    Unserved unserved;
    if (leading_ && loaded_) {
      unserved.routes = table_.UnservedAfter(after, kAppsOfALook);
      unserved.next = std::move(after);
    }
    done(std::move(unserved));
  });
}

void RouteBook::Audit(RouteAudit::Apps apps, RouteAudit::Done done) {
  loop_.Post([this, apps = std::move(apps), done = std::move(done)] {
    if (!leading_ || !loaded_) return done({});
    audit_.Look(apps, done);
  });
}

void RouteBook::Tick(int life) {
  if (life != life_) return;
  std::vector<Registry::HeardConsumer> alive;
  for (auto& [id, consumer] : consumers_) {
    const auto silent = std::chrono::duration_cast<Duration>(Loop::Steady::now() - consumer.last_heard);
    // As of a cell: the lease ends a lease after the last word.
    if (!consumer.registered || silent >= timing_.heartbeat * 2) continue;
    // One that never applies what it was told (its HAProxy does not take it) must not hold every drain up for ever.
    const bool waited = consumer.told_at && Loop::Steady::now() - *consumer.told_at >= 2 * timing_.lease;
    alive.push_back({id, consumer.in_step || waited ? std::optional<Duration>(silent) : std::nullopt});
  }
  if (!alive.empty()) {
    registry_.RenewConsumers(std::move(alive), timing_.lease, [this](const Status& status) {
      if (!status) log_.Warn("route_leases_not_renewed", {{"error", status.error().message}});
    });
  }
  metrics_.Set("baton_route_endpoints", static_cast<double>(table_.size()));
  loop_.After(timing_.heartbeat, [this, life] { Tick(life); });
}

}  // namespace baton
