#include "orchestrator/server/apps/requests.h"

#include <algorithm>

#include "orchestrator/model/calls/allowed_hosts.h"
#include "orchestrator/wire/limits/field_limits.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/messages/routes.h"
#include "orchestrator/wire/messages/strategy.h"
#include "orchestrator/wire/stored/stored.h"

namespace baton {
namespace {

Result<Routes> RoutesOf(const v1::ProtoRoutes& message) {
  auto routes = wire::RoutesFrom(message);
  if (!routes) return routes;
  if (Status s = wire::CheckOnePortEach(message); !s) return s.error();
  return routes;
}

// What a full DesiredLRP in an update sets beside its definition: the fields that are not empty.
Status TakeFull(const v2::DesiredLRP& full, UpdateRequest& request) {
  if (!full.domain().empty()) request.domain = full.domain();
  if (full.instances() != 0) request.instances = full.instances();
  if (!full.annotation().empty()) request.annotation = full.annotation();
  if (!full.log_guid().empty()) request.log_guid = full.log_guid();
  if (full.metric_tags_size() > 0) request.metric_tags = wire::EncodeMetricTags(full.metric_tags());
  if (full.has_definition_history()) request.definition_history = full.definition_history();
  if (!full.image_username().empty()) {
    request.image_username = full.image_username();
    request.image_password = full.image_password();
  }
  if (full.has_routes()) {
    auto routes = RoutesOf(full.routes());
    if (!routes) return routes.error();
    request.routes = *std::move(routes);
  }
  if (full.has_strategy()) request.strategy = wire::PatchFrom(full.strategy());
  return Done{};
}

Status TakeDefinition(v2::LRPDefinition definition, const std::string& identifier, UpdateRequest& request) {
  if (!identifier.empty()) definition.set_definition_identifier(identifier);
  auto input = wire::DefinitionFrom(definition);
  if (!input) return input.error();
  request.named = !definition.definition_identifier().empty();
  request.definition = *std::move(input);
  return Done{};
}

Status TakeFields(const v2::DesiredLRPUpdate& update, UpdateRequest& request) {
  if (update.has_instances()) request.instances = update.instances();
  if (update.has_routes()) {
    auto routes = RoutesOf(update.routes());
    if (!routes) return routes.error();
    request.routes = *std::move(routes);
  }
  if (update.has_annotation()) request.annotation = update.annotation();
  if (update.metric_tags_size() > 0) request.metric_tags = wire::EncodeMetricTags(update.metric_tags());
  if (update.has_image_username() || update.has_image_password()) {
    request.image_username = update.image_username();
    request.image_password = update.image_password();
  }
  if (update.has_definition_history()) request.definition_history = update.definition_history();
  if (update.has_strategy()) request.strategy = wire::PatchFrom(update.strategy());
  return Done{};
}

Status TakeAliases(const v2::DesiredLRPUpdate& update, UpdateRequest& request) {
  if (update.port_aliases_size() == 0) return Done{};
  if (!request.definition) return InvalidArgument("update.port_aliases is given without a definition");
  const auto& ports = request.definition->definition.ports;
  for (int i = 0; i < update.port_aliases_size(); ++i) {
    const v2::PortAlias& alias = update.port_aliases(i);
    const std::string field = "update.port_aliases[" + std::to_string(i) + "]";
    if (std::ranges::find(ports, alias.definition_port()) == ports.end()) {
      return InvalidArgument(field + ".definition_port is " + std::to_string(alias.definition_port()) +
                             ", which is none of the definition's ports");
    }
    if (!request.port_aliases.emplace(alias.route_port(), alias.definition_port()).second) {
      return InvalidArgument(field + ".route_port is " + std::to_string(alias.route_port()) + " a second time");
    }
  }
  return Done{};
}

void TakeExpected(const v2::Expectation& expected, UpdateRequest& request) {
  if (expected.has_modification_tag()) {
    request.expected_tag = ModificationTag{expected.modification_tag().epoch(), expected.modification_tag().index()};
  }
  if (expected.has_instances()) request.expected_instances = expected.instances();
  if (!expected.definition_identifier().empty()) {
    request.expected_definition = DefinitionId(expected.definition_identifier());
  }
}

// Routers take nothing but an address: with a name, the instance would be ready and nobody could reach it.
Status CheckAddress(const std::string& field, const std::string& text) {
  const auto address = IpAddress::From(text);
  if (!address)
    return InvalidArgument("net_info." + field + " is " + wire::Shown(text) + "; it takes an IPv4 or IPv6 address");
  // Traffic would go wherever a cell says.
  if (address->IsOfAMachine()) return Done{};
  return InvalidArgument("net_info." + field + " is " + text +
                         ": it must be a machine's own, not unspecified, link-local, multicast or broadcast");
}

}  // namespace

Result<DesireRequest> DesireFrom(const v2::DesireLRPRequest& message) {
  const v2::DesiredLRP& m = message.desired_lrp();
  if (Status s = wire::CheckLimits(message); !s) return s.error();
  auto routes = RoutesOf(m.routes());
  if (!routes) return routes.error();
  auto definition = wire::DefinitionFrom(m.definition());
  if (!definition) return definition.error();
  DesireRequest request;
  DesiredLrp& d = request.desired;
  d.domain = m.domain();
  d.log_guid = m.log_guid();
  d.instances = m.instances();
  d.routes = *std::move(routes);
  d.annotation = m.annotation();
  d.metric_tags = wire::EncodeMetricTags(m.metric_tags());
  d.image_username = m.image_username();
  d.image_password = m.image_password();
  d.strategy = Patched(Strategy(), wire::PatchFrom(m.strategy()));
  if (m.has_definition_history()) d.definition_history = m.definition_history();
  request.definition = *std::move(definition);
  return request;
}

Result<UpdateRequest> UpdateFrom(const v2::UpdateDesiredLRPRequest& message) {
  const v2::DesiredLRPUpdate& update = message.update();
  if (Status s = wire::CheckLimits(message); !s) return s.error();
  UpdateRequest request;
  if (update.has_desired_lrp()) {
    if (Status s = TakeFull(update.desired_lrp(), request); !s) return s.error();
    if (update.desired_lrp().has_definition()) {
      if (Status s = TakeDefinition(update.desired_lrp().definition(), update.update_identifier(), request); !s) {
        return s.error();
      }
    }
  }
  if (Status s = TakeFields(update, request); !s) return s.error();
  if (Status s = TakeAliases(update, request); !s) return s.error();
  TakeExpected(update.expected(), request);
  request.retry = update.retry();
  request.reactivate = update.reactivate();
  request.accept_unroutable = update.accept_unroutable();
  if (!update.plan_token().empty()) request.plan = PlanGiven{update.plan_token(), PlanContent(message)};
  return request;
}

Result<UpdateRequest> ReplaceFrom(const v2::ReplaceDesiredLRPRequest& message) {
  if (Status s = wire::CheckLimits(message); !s) return s.error();
  v2::DesireLRPRequest as_desire;
  *as_desire.mutable_desired_lrp() = message.desired_lrp();
  as_desire.set_idempotency_key(message.idempotency_key());
  auto desire = DesireFrom(as_desire);
  if (!desire) return desire.error();
  UpdateRequest request;
  request.domain = desire->desired.domain;
  request.instances = desire->desired.instances;
  request.routes = desire->desired.routes;
  request.annotation = desire->desired.annotation;
  request.log_guid = desire->desired.log_guid;
  request.metric_tags = desire->desired.metric_tags;
  request.image_username = desire->desired.image_username;
  request.image_password = desire->desired.image_password;
  request.strategy = wire::PatchFrom(wire::ToMessage(desire->desired.strategy));
  request.definition_history = desire->desired.definition_history;
  request.replaces = true;
  request.named = !message.desired_lrp().definition().definition_identifier().empty();
  request.reactivate = message.reactivate();
  TakeExpected(message.expected(), request);
  if (!message.plan_token().empty()) request.plan = PlanGiven{message.plan_token(), PlanContent(message)};
  request.definition = std::move(desire->definition);
  return request;
}

std::string PlanContent(v2::UpdateDesiredLRPRequest message) {
  message.clear_idempotency_key();
  message.mutable_update()->clear_plan_token();
  return "update\n" + wire::CanonicalBytes(message);
}

std::string PlanContent(v2::ReplaceDesiredLRPRequest message) {
  message.clear_idempotency_key();
  message.clear_plan_token();
  return "replace\n" + wire::CanonicalBytes(message);
}

Status CheckNetInfo(const v1::ActualLRPNetInfo& info) {
  if (Status s = CheckAddress("address", info.address()); !s) return s;
  for (int i = 0; i < info.ports_size(); ++i) {
    const std::string field = "net_info.ports[" + std::to_string(i) + "]";
    if (Status s = wire::CheckRange(field + ".host_port", info.ports(i).host_port(), 1, 65535); !s) return s;
    if (Status s = wire::CheckRange(field + ".container_port", info.ports(i).container_port(), 1, 65535); !s) return s;
    for (const std::uint32_t port : {info.ports(i).container_tls_proxy_port(), info.ports(i).host_tls_proxy_port()}) {
      if (Status s = wire::CheckRange(field + ": of a TLS proxy", port, 0, 65535); !s) return s;
    }
  }
  for (const auto& [field, text] : {std::pair("instance_address", &info.instance_address()),
                                    std::pair("instance_ipv6_address", &info.instance_ipv6_address())}) {
    if (text->empty()) continue;
    if (Status s = CheckAddress(field, *text); !s) return s;
  }
  return Done{};
}

}  // namespace baton
