#include "tools/router/link/routes_wire.h"

#include <google/protobuf/repeated_ptr_field.h>

#include <optional>

#include "orchestrator/model/version.h"
#include "tools/router/routes/naming.h"

namespace baton::router {
namespace {

constexpr int kLoadsMax = 10'000;  // as batond takes them

// Of a Route, an Endpoint or an EndpointKey. A '/' at the end of a path says nothing.
template <class Message>
RouteKey KeyOf(const Message& from) {
  std::string path = from.path();
  while (path.ends_with('/')) path.pop_back();
  return {.hostname = from.hostname(),
          .path = std::move(path),
          .external_port = from.external_port(),
          .router_group = from.router_group_guid()};
}

bool IsForeign(const RouteKey& route, const std::string& router_group) {
  return route.tcp() && !router_group.empty() && !route.router_group.empty() && route.router_group != router_group;
}

// Nothing if it can be served. One that drains needs no address: it gets no server that it does not have.
std::optional<std::string> FaultOf(const v2::Endpoint& endpoint, const RouteKey& route, bool draining) {
  if (auto fault = FaultOf(route)) return fault;
  if (!IsServerName(endpoint.actual_id())) return "the actual_id is not of [A-Za-z0-9._:-]";
  if (draining) return std::nullopt;
  if (!CanonicalAddress(endpoint.address())) return "the address '" + endpoint.address() + "' is no IP address";
  if (endpoint.port() == 0 || endpoint.port() > kPortMax) return "the port is not 1 to 65535";
  return std::nullopt;
}

using ProtoEndpoints = google::protobuf::RepeatedPtrField<v2::Endpoint>;
using ProtoRoutes = google::protobuf::RepeatedPtrField<v2::Route>;

void ConvertAll(const ProtoEndpoints& from, bool draining, const std::string& router_group,
                std::vector<RouteEndpoint>& to, std::vector<RefusedRoute>& refused) {
  for (const v2::Endpoint& endpoint : from) {
    RouteKey route = KeyOf(endpoint);
    bool elsewhere = IsForeign(route, router_group);
    if (!elsewhere) {
      if (const auto fault = FaultOf(endpoint, route, draining)) {
        refused.push_back({Text(route), endpoint.actual_id(), *fault});
        elsewhere = true;
      }
    }
    to.push_back({.route = std::move(route),
                  .actual_id = endpoint.actual_id(),
                  .address = CanonicalAddress(endpoint.address()).value_or(""),
                  .port = endpoint.port(),
                  .draining = draining,
                  .elsewhere = elsewhere,
                  .app = endpoint.process_guid()});
  }
}

std::vector<RouteKey> ConvertRoutes(const ProtoRoutes& from, const std::string& router_group,
                                    std::vector<RefusedRoute>& refused) {
  std::vector<RouteKey> routes;
  for (const v2::Route& message : from) {
    RouteKey route = KeyOf(message);
    if (IsForeign(route, router_group)) continue;
    if (const auto fault = FaultOf(route)) {
      refused.push_back({Text(route), "", *fault});
    } else {
      routes.push_back(std::move(route));
    }
  }
  return routes;
}

}  // namespace

RouteRevisionId RevisionOf(const v2::RouteRevision& revision) {
  return {.epoch = revision.epoch(), .number = revision.number()};
}

std::vector<RouteEndpoint> EndpointsOf(const v2::RouteSnapshot& snapshot, const std::string& router_group,
                                       std::vector<RefusedRoute>& refused) {
  std::vector<RouteEndpoint> endpoints;
  ConvertAll(snapshot.endpoints(), false, router_group, endpoints, refused);
  ConvertAll(snapshot.draining(), true, router_group, endpoints, refused);
  return endpoints;
}

std::vector<RouteKey> RoutesOf(const v2::RouteSnapshot& snapshot, const std::string& router_group,
                               std::vector<RefusedRoute>& refused) {
  return ConvertRoutes(snapshot.routes(), router_group, refused);
}

RouteDelta DeltaOf(const v2::RouteChange& change, const std::string& router_group, std::vector<RefusedRoute>& refused) {
  RouteDelta delta;
  ConvertAll(change.added(), false, router_group, delta.added, refused);
  ConvertAll(change.draining(), true, router_group, delta.draining, refused);
  for (const v2::EndpointKey& key : change.removed()) delta.removed.push_back({KeyOf(key), key.actual_id()});
  delta.mapped = ConvertRoutes(change.mapped(), router_group, refused);
  std::vector<RefusedRoute> never_known;  // they are forgotten in silence
  delta.unmapped = ConvertRoutes(change.unmapped(), router_group, never_known);
  delta.measured = {change.measured().begin(), change.measured().end()};
  delta.unmeasured = {change.unmeasured().begin(), change.unmeasured().end()};
  return delta;
}

v2::RouteConsumerMessage HelloMessage(const std::string& consumer_id) {
  v2::RouteConsumerMessage message;
  message.mutable_hello()->set_protocol_version(kRouteProtocolVersion);
  message.mutable_hello()->set_consumer_id(consumer_id);
  message.mutable_hello()->set_version(kAppVersion);
  return message;
}

v2::RouteConsumerMessage AppliedMessage(RouteRevisionId revision) {
  v2::RouteConsumerMessage message;
  message.mutable_applied()->mutable_revision()->set_epoch(revision.epoch);
  message.mutable_applied()->mutable_revision()->set_number(revision.number);
  return message;
}

v2::RouteConsumerMessage DrainedMessage(const std::vector<std::string>& actual_ids) {
  v2::RouteConsumerMessage message;
  for (const std::string& actual_id : actual_ids) message.mutable_drained()->add_actual_ids(actual_id);
  return message;
}

v2::RouteConsumerMessage LoadMessage(const std::vector<InstanceLoad>& loads) {
  v2::RouteConsumerMessage message;
  message.mutable_load();
  for (const InstanceLoad& load : loads) {
    if (message.load().instances_size() == kLoadsMax) break;
    v2::InstanceLoad& one = *message.mutable_load()->add_instances();
    one.set_actual_id(load.actual_id);
    one.set_sessions(load.sessions);
    if (load.requests_per_s) one.set_requests_per_s(*load.requests_per_s);
  }
  return message;
}

v2::RouteConsumerMessage HeartbeatMessage() {
  v2::RouteConsumerMessage message;
  message.set_heartbeat(true);
  return message;
}

v2::RouteConsumerMessage GoodbyeMessage() {
  v2::RouteConsumerMessage message;
  message.mutable_goodbye();
  return message;
}

}  // namespace baton::router
