#include "orchestrator/server/route_messages.h"

namespace baton {

v2::Endpoint ToMessage(const Endpoint& endpoint) {
  v2::Endpoint message;
  message.set_hostname(endpoint.hostname);
  message.set_actual_id(endpoint.actual_id.str());
  message.set_address(endpoint.address);
  message.set_port(endpoint.port);
  message.set_process_guid(endpoint.process_guid.str());
  message.set_index(endpoint.index);
  message.set_instance_guid(endpoint.instance_guid.str());
  message.set_definition_identifier(endpoint.definition.str());
  return message;
}

v2::RouteMessage ToMessage(const RouteSnapshot& snapshot) {
  v2::RouteMessage message;
  v2::RouteSnapshot& s = *message.mutable_snapshot();
  s.mutable_revision()->set_epoch(snapshot.epoch);
  s.mutable_revision()->set_number(snapshot.number);
  for (const Endpoint& endpoint : snapshot.endpoints) *s.add_endpoints() = ToMessage(endpoint);
  for (const Endpoint& endpoint : snapshot.draining) *s.add_draining() = ToMessage(endpoint);
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
    c.add_removed()->set_hostname(key.hostname);
    c.mutable_removed(c.removed_size() - 1)->set_actual_id(key.actual_id.str());
  }
  return message;
}

}  // namespace baton
