#include "tools/router/routes_wire.h"

#include <google/protobuf/repeated_ptr_field.h>

#include <optional>

#include "schema/version.h"
#include "tools/router/naming.h"

namespace baton {
namespace {

constexpr std::uint32_t kPortMax = 65535;

// Nothing if it can be served. One that drains needs no address: it gets no server that it does not have.
std::optional<std::string> Fault(const v2::Endpoint& endpoint, bool draining) {
  if (!IsHostName(endpoint.hostname())) return "the host name is not of lower case letters, digits and -_.";
  if (!IsServerName(endpoint.actual_id())) return "the actual_id is not of [A-Za-z0-9._:-]";
  if (draining) return std::nullopt;
  if (!CanonicalAddress(endpoint.address())) return "the address '" + endpoint.address() + "' is no IP address";
  if (endpoint.port() == 0 || endpoint.port() > kPortMax) return "the port is not 1 to 65535";
  return std::nullopt;
}

RouteEndpoint Convert(const v2::Endpoint& from, bool draining) {
  return {.hostname = from.hostname(),
          .actual_id = from.actual_id(),
          .address = CanonicalAddress(from.address()).value_or(""),
          .port = from.port(),
          .draining = draining};
}

void ConvertAll(const google::protobuf::RepeatedPtrField<v2::Endpoint>& from, bool draining,
                std::vector<RouteEndpoint>& to, std::vector<RefusedEndpoint>& refused) {
  for (const v2::Endpoint& endpoint : from) {
    if (const auto fault = Fault(endpoint, draining)) {
      refused.push_back({endpoint.hostname(), endpoint.actual_id(), *fault});
    } else {
      to.push_back(Convert(endpoint, draining));
    }
  }
}

}  // namespace

RouteRevisionId RevisionOf(const v2::RouteRevision& revision) {
  return {.epoch = revision.epoch(), .number = revision.number()};
}

std::vector<RouteEndpoint> EndpointsOf(const v2::RouteSnapshot& snapshot, std::vector<RefusedEndpoint>& refused) {
  std::vector<RouteEndpoint> endpoints;
  ConvertAll(snapshot.endpoints(), false, endpoints, refused);
  ConvertAll(snapshot.draining(), true, endpoints, refused);
  return endpoints;
}

RouteDelta DeltaOf(const v2::RouteChange& change, std::vector<RefusedEndpoint>& refused) {
  RouteDelta delta;
  ConvertAll(change.added(), false, delta.added, refused);
  ConvertAll(change.draining(), true, delta.draining, refused);
  for (const v2::EndpointKey& key : change.removed()) delta.removed.push_back({key.hostname(), key.actual_id()});
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

}  // namespace baton
