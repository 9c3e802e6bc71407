#include "orchestrator/server/routes/route_messages.h"

#include "orchestrator/base/errors.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {

namespace {

constexpr int kLoadsMax = 10'000;
// What is more is no number of requests; sums of many stay exact.
constexpr std::int64_t kSessionsMax = 1'000'000'000;
constexpr double kRateMax = 1e9;

// Endpoint, EndpointKey and Route name a route by the same fields.
template <class Message>
void FillRoute(const Route& route, Message& message) {
  message.set_hostname(route.hostname);
  message.set_path(route.path);
  message.set_external_port(route.external_port);
  message.set_router_group_guid(route.router_group);
}

}  // namespace

v2::Endpoint ToMessage(const Endpoint& endpoint) {
  v2::Endpoint message;
  FillRoute(endpoint.route, message);
  message.set_actual_id(endpoint.actual_id.str());
  message.set_address(endpoint.address);
  message.set_port(endpoint.port);
  message.set_process_guid(endpoint.process_guid.str());
  message.set_index(endpoint.index);
  message.set_instance_guid(endpoint.instance_guid.str());
  message.set_definition_identifier(endpoint.definition.str());
  return message;
}

v2::Endpoint ToMessage(const RouteBook::ListedEndpoint& listed) {
  v2::Endpoint message = ToMessage(listed.endpoint);
  message.set_draining(listed.draining);
  if (!listed.load) return message;
  message.set_sessions(listed.load->load.sessions);
  if (listed.load->load.requests_per_s) message.set_requests_per_s(*listed.load->load.requests_per_s);
  return message;
}

Result<RouteLoads::OfInstances> FromMessage(const v2::RouteLoad& message) {
  if (message.instances_size() > kLoadsMax) {
    return InvalidArgument("load.instances has " + std::to_string(message.instances_size()) + " entries, at most " +
                           std::to_string(kLoadsMax) + " are taken");
  }
  RouteLoads::OfInstances loads;
  for (const v2::InstanceLoad& one : message.instances()) {
    if (Status s = wire::CheckName("load.instances.actual_id", one.actual_id()); !s) return s.error();
    if (one.sessions() < 0 || one.sessions() > kSessionsMax)
      return InvalidArgument("load.instances.sessions is not 0 to 10^9");
    InstanceLoad load{.sessions = one.sessions(), .requests_per_s = std::nullopt};
    if (one.has_requests_per_s()) {
      const double rate = one.requests_per_s();
      if (!(rate >= 0 && rate <= kRateMax)) return InvalidArgument("load.instances.requests_per_s is not 0 to 10^9");
      load.requests_per_s = rate;
    }
    loads[ActualId(one.actual_id())] = load;
  }
  return loads;
}

v2::RouteConsumer ToMessage(const RouteConsumerRecord& record, const RouteBook::View* view) {
  v2::RouteConsumer message;
  message.set_consumer_id(record.id.str());
  message.set_version(record.version);
  message.set_lease_expires_at(wire::Nanos(record.lease_expires_at));
  message.set_lease_runs(record.lease_runs);
  message.set_heard_at(wire::Nanos(record.heard_at));
  message.set_connected(view != nullptr);
  if (!view) return message;
  message.set_in_step(view->in_step);
  message.set_unacknowledged(static_cast<std::int32_t>(view->unacknowledged));
  return message;
}

v2::RouteMessage ToMessage(const RouteSnapshot& snapshot) {
  v2::RouteMessage message;
  v2::RouteSnapshot& s = *message.mutable_snapshot();
  s.mutable_revision()->set_epoch(snapshot.epoch);
  s.mutable_revision()->set_number(snapshot.number);
  for (const Endpoint& endpoint : snapshot.endpoints) *s.add_endpoints() = ToMessage(endpoint);
  for (const Endpoint& endpoint : snapshot.draining) *s.add_draining() = ToMessage(endpoint);
  for (const Route& route : snapshot.routes) FillRoute(route, *s.add_routes());
  for (const ProcessGuid& guid : snapshot.measured) s.add_measured(guid.str());
  s.set_heartbeat_interval_ms(Millis(snapshot.heartbeat));
  s.set_lease_ms(Millis(snapshot.lease));
  return message;
}

v2::RouteMessage ToMessage(const RouteChange& change) {
  v2::RouteMessage message;
  v2::RouteChange& c = *message.mutable_change();
  c.mutable_revision()->set_epoch(change.epoch);
  c.mutable_revision()->set_number(change.number);
  for (const Endpoint& endpoint : change.added) *c.add_added() = ToMessage(endpoint);
  for (const Endpoint& endpoint : change.draining) *c.add_draining() = ToMessage(endpoint);
  for (const EndpointKey& key : change.removed) {
    v2::EndpointKey& removed = *c.add_removed();
    FillRoute(key.route, removed);
    removed.set_actual_id(key.actual_id.str());
  }
  for (const Route& route : change.mapped) FillRoute(route, *c.add_mapped());
  for (const Route& route : change.unmapped) FillRoute(route, *c.add_unmapped());
  for (const ProcessGuid& guid : change.load.measured) c.add_measured(guid.str());
  for (const ProcessGuid& guid : change.load.unmeasured) c.add_unmeasured(guid.str());
  return message;
}

}  // namespace baton
