#include "orchestrator/wire/stored/stored.h"

#include <google/protobuf/unknown_field_set.h>

#include "baton/v2/event.pb.h"
#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/messages/routes.h"
#include "orchestrator/wire/messages/strategy.h"
#include "orchestrator/wire/messages/values.h"

namespace baton::wire {
namespace {

template <class Message>
Result<Message> Parse(const std::string& bytes, const char* what) {
  Message message;
  if (!message.ParseFromString(bytes))
    return Error{ErrorKind::kDataLoss, std::string("the stored ") + what + " does not parse"};
  return message;
}

}  // namespace

// Two messages one behind the other are one of both.
std::string EncodeStart(const ActualLrp& lrp) {
  std::string bytes = CanonicalBytes(ToMessage(lrp.net_info));
  if (lrp.ended_starts.empty() && lrp.labels == Labels()) return bytes;
  v2::StoredStarts starts;
  for (const std::string& host : lrp.labels.internal_routes) starts.add_internal_routes(host);
  starts.mutable_metric_tags()->insert(lrp.labels.metric_tags.begin(), lrp.labels.metric_tags.end());
  for (const InstanceGuid& start : lrp.ended_starts) starts.add_ended(start.str());
  return bytes.append(CanonicalBytes(starts));
}

Status DecodeStart(const std::string& bytes, ActualLrp& lrp) {
  const auto endpoint = Parse<v1::ActualLRPNetInfo>(bytes, "net info");
  if (!endpoint) return endpoint.error();
  lrp.net_info = NetInfoFrom(*endpoint);
  lrp.ended_starts.clear();
  lrp.labels = Labels();
  // Most rows have had one start and no labels, and are read by the hundred thousand.
  if (endpoint->GetReflection()->GetUnknownFields(*endpoint).empty()) return Done{};
  const auto starts = Parse<v2::StoredStarts>(bytes, "net info");
  if (!starts) return starts.error();
  for (const std::string& start : starts->ended()) lrp.ended_starts.emplace_back(start);
  lrp.labels.internal_routes.assign(starts->internal_routes().begin(), starts->internal_routes().end());
  lrp.labels.metric_tags.insert(starts->metric_tags().begin(), starts->metric_tags().end());
  return Done{};
}

// Two messages one behind the other are one of both.
std::string Encode(const Routes& routes) {
  std::string bytes = CanonicalBytes(ToMessage(routes));
  if (routes.bindings.empty()) return bytes;
  v2::StoredBindings stored;
  for (const auto& [id, bindings] : routes.bindings) {
    v2::DefinitionBindings& of = *stored.add_definitions();
    of.set_definition_identifier(id.str());
    for (const auto& [route, binding] : bindings) {
      v2::StoredBinding& one = *of.add_bindings();
      one.set_route(Name(route));
      one.set_port(binding.port);
      one.set_accepted(binding.accepted);
    }
  }
  return bytes.append(CanonicalBytes(stored));
}

Result<Routes> DecodeRoutes(const std::string& bytes) {
  const auto message = Parse<v1::ProtoRoutes>(bytes, "routes");
  if (!message) return message.error();
  auto routes = RoutesFrom(*message, RoutesOrigin::kStored);
  // Most apps need no bindings.
  if (!routes || message->GetReflection()->GetUnknownFields(*message).empty()) return routes;
  const auto stored = Parse<v2::StoredBindings>(bytes, "routes");
  if (!stored) return stored.error();
  for (const v2::DefinitionBindings& of : stored->definitions()) {
    Bindings& bindings = routes->bindings[DefinitionId(of.definition_identifier())];
    for (const v2::StoredBinding& one : of.bindings()) {
      bindings[RouteNamed(one.route())] = {.port = one.port(), .accepted = one.accepted()};
    }
  }
  return routes;
}

Result<std::map<std::string, std::string>> DecodePayloads(const std::string& bytes) {
  const auto message = Parse<v1::ProtoRoutes>(bytes, "routes");
  if (!message) return message.error();
  return std::map<std::string, std::string>(message->routes().begin(), message->routes().end());
}

std::string Encode(const Strategy& strategy) {
  std::string bytes = CanonicalBytes(ToMessage(strategy));
  if (strategy.bake_time != Duration(0)) return bytes;
  v2::StoredStrategy beside;
  beside.set_no_bake_time(true);
  return bytes.append(CanonicalBytes(beside));
}

Result<Strategy> DecodeStrategy(const std::string& bytes) {
  const auto message = Parse<v2::Strategy>(bytes, "strategy");
  if (!message) return message.error();
  Strategy strategy = Patched(Strategy(), PatchFrom(*message));
  if (strategy.bake_time != Duration(0)) return strategy;
  const auto beside = Parse<v2::StoredStrategy>(bytes, "strategy");
  if (!beside) return beside.error();
  if (!beside->no_bake_time()) strategy.bake_time.reset();
  return strategy;
}

std::string Encode(const Credentials& credentials) {
  v2::StoredCredentials message;
  message.set_image_username(credentials.username);
  message.set_image_password(credentials.password);
  return CanonicalBytes(message);
}

Result<Credentials> DecodeCredentials(const std::string& bytes) {
  const auto message = Parse<v2::StoredCredentials>(bytes, "credentials");
  if (!message) return message.error();
  return Credentials{message->image_username(), message->image_password()};
}

std::string EncodeMetricTags(const google::protobuf::Map<std::string, v1::MetricTagValue>& tags) {
  v2::StoredMetricTags message;
  *message.mutable_tags() = tags;
  return CanonicalBytes(message);
}

Result<std::string> DecodeMetricTags(std::string bytes) {
  if (v2::StoredMetricTags().ParseFromString(bytes)) return bytes;
  return Error{ErrorKind::kDataLoss, "the stored metric tags do not parse"};
}

v2::StoredMetricTags MetricTagsFrom(const std::string& encoded) {
  v2::StoredMetricTags message;
  if (!message.ParseFromString(encoded)) message.Clear();
  return message;
}

std::string Encode(const Event& event, const AppState& after) {
  v2::Event m;
  m.set_kind(std::string(Name(event.kind)));
  m.set_process_guid(after.guid.str());
  m.set_incarnation(event.incarnation);
  m.set_definition_identifier(event.definition.str());
  m.set_domain(event.domain);
  if (event.actual_before) Fill(after.guid, *event.actual_before, *m.mutable_actual_before());
  if (event.actual_after) Fill(after.guid, *event.actual_after, *m.mutable_actual_after());
  const auto schedule = [&](const DesiredLrp& desired, v2::DesiredLRPSchedulingInfo& message) {
    const auto active = after.definitions.find({desired.incarnation, desired.active});
    FillSchedulingInfo(after.guid, desired, active == after.definitions.end() ? Definition() : active->second, message);
  };
  if (event.desired_before) schedule(*event.desired_before, *m.mutable_desired_before());
  if (event.desired_after) schedule(*event.desired_after, *m.mutable_desired_after());
  if (event.roll) *m.mutable_roll() = ToMessage(after.guid, *event.roll);
  if (event.step) *m.mutable_step() = ToMessage(*event.step);
  return m.SerializeAsString();
}

std::string EncodeCellEvent(EventKind kind, const CellRecord& cell) {
  v2::Event m;
  m.set_kind(std::string(Name(kind)));
  *m.mutable_cell() = ToMessage(cell);
  return m.SerializeAsString();
}

std::string EncodeDomainEvent(EventKind kind, const DomainRecord& domain) {
  v2::Event m;
  m.set_kind(std::string(Name(kind)));
  m.set_domain(domain.name);
  *m.mutable_freshness() = ToMessage(domain);
  return m.SerializeAsString();
}

}  // namespace baton::wire
