#include "orchestrator/wire/messages/values.h"

#include <algorithm>

#include "orchestrator/model/names.h"
#include "orchestrator/roll/rules/collect.h"
#include "orchestrator/routing/bindings.h"
#include "orchestrator/wire/messages/actions.h"
#include "orchestrator/wire/messages/routes.h"
#include "orchestrator/wire/messages/strategy.h"
#include "orchestrator/wire/secrets/redact.h"
#include "orchestrator/wire/stored/stored.h"

namespace baton::wire {
namespace {

void Fill(const ModificationTag& tag, v1::ModificationTag& message) {
  message.set_epoch(tag.epoch);
  message.set_index(tag.index);
}

v2::KeepReason ToMessage(KeepReason reason) {
  switch (reason) {
    case KeepReason::kActive: return v2::KEEP_REASON_ACTIVE;
    case KeepReason::kHealthy: return v2::KEEP_REASON_HEALTHY;
    case KeepReason::kRollSource: return v2::KEEP_REASON_ROLL_SOURCE;
    case KeepReason::kRollTarget: return v2::KEEP_REASON_ROLL_TARGET;
    case KeepReason::kInstance: return v2::KEEP_REASON_INSTANCE;
    case KeepReason::kHistory: return v2::KEEP_REASON_HISTORY;
    case KeepReason::kPinned: return v2::KEEP_REASON_PINNED;
  }
  return v2::KEEP_REASON_UNSPECIFIED;
}

}  // namespace

std::int64_t Nanos(TimePoint at) { return Micros(at) * 1000; }
std::int64_t Nanos(const std::optional<TimePoint>& at) { return at ? Nanos(*at) : 0; }

v2::Resources ToMessage(const Resources& resources) {
  v2::Resources message;
  message.set_memory_mb(resources.memory_mb);
  message.set_disk_mb(resources.disk_mb);
  message.set_pids(resources.pids);
  message.set_containers(static_cast<std::int32_t>(resources.containers));
  return message;
}

v2::Cell ToMessage(const CellRecord& record) {
  v2::Cell m;
  m.set_cell_id(record.id.str());
  m.set_zone(record.zone);
  m.set_address(record.address);
  *m.mutable_capacity() = ToMessage(record.capacity);
  for (const std::string& stack : record.stacks) m.add_stacks(stack);
  for (const std::string& tag : record.placement_tags) m.add_placement_tags(tag);
  for (const std::string& ability : record.abilities) m.add_abilities(ability);
  for (const std::string& limit : record.enforces) m.add_enforces(limit);
  m.set_version(record.version);
  m.set_state(record.missing_since ? "MISSING" : record.lease_runs ? "PRESENT" : "SILENT");
  m.set_lease_expires_at(Nanos(record.lease_expires_at));
  m.set_instances(record.instances);
  m.set_draining(record.draining);
  m.set_epoch(record.epoch);
  m.set_present_since(Nanos(record.present_since));
  m.set_missing_since(Nanos(record.missing_since));
  m.set_losses(record.losses);
  m.set_draining_since(Nanos(record.draining_since));
  m.set_draining_from(record.draining_from);
  return m;
}

v2::Domain ToMessage(const DomainRecord& domain) {
  v2::Domain m;
  m.set_domain(domain.name);
  m.set_expires_at(Nanos(domain.expires_at));
  return m;
}

v1::ActualLRPNetInfo::PreferredAddress ToMessage(PreferredAddress preferred) {
  switch (preferred) {
    case PreferredAddress::kUnknown: return v1::ActualLRPNetInfo::UNKNOWN;
    case PreferredAddress::kInstance: return v1::ActualLRPNetInfo::INSTANCE;
    case PreferredAddress::kHost: return v1::ActualLRPNetInfo::HOST;
  }
  return v1::ActualLRPNetInfo::UNKNOWN;
}

PreferredAddress PreferredFrom(v1::ActualLRPNetInfo::PreferredAddress preferred) {
  switch (preferred) {
    case v1::ActualLRPNetInfo::INSTANCE: return PreferredAddress::kInstance;
    case v1::ActualLRPNetInfo::HOST: return PreferredAddress::kHost;
    default: return PreferredAddress::kUnknown;
  }
}

void Fill(const NetInfo& info, v1::ActualLRPNetInfo& message) {
  message.set_address(info.address);
  message.set_instance_address(info.instance_address);
  for (const PortMapping& port : info.ports) {
    auto* mapping = message.add_ports();
    mapping->set_container_port(port.container_port);
    mapping->set_host_port(port.host_port);
    mapping->set_container_tls_proxy_port(port.container_tls_proxy_port);
    mapping->set_host_tls_proxy_port(port.host_tls_proxy_port);
  }
  message.set_preferred_address(ToMessage(info.preferred_address));
  message.set_instance_ipv6_address(info.instance_ipv6_address);
}

void Fill(const Labels& labels, v2::ActualLRP& message) {
  for (const std::string& host : labels.internal_routes) message.add_actual_lrp_internal_routes()->set_hostname(host);
  message.mutable_metric_tags()->insert(labels.metric_tags.begin(), labels.metric_tags.end());
}

v1::ActualLRPNetInfo ToMessage(const NetInfo& info) {
  v1::ActualLRPNetInfo message;
  Fill(info, message);
  return message;
}

NetInfo NetInfoFrom(const v1::ActualLRPNetInfo& message) {
  NetInfo info;
  info.address = message.address();
  info.instance_address = message.instance_address();
  for (const auto& mapping : message.ports()) {
    info.ports.push_back({mapping.container_port(), mapping.host_port(), mapping.container_tls_proxy_port(),
                          mapping.host_tls_proxy_port()});
  }
  info.preferred_address = PreferredFrom(message.preferred_address());
  info.instance_ipv6_address = message.instance_ipv6_address();
  return info;
}

v2::Presence ToMessage(Presence presence) {
  switch (presence) {
    case Presence::kOrdinary: return v2::ORDINARY;
    case Presence::kSurge: return v2::SURGE;
    case Presence::kSuspect: return v2::SUSPECT;
    case Presence::kEvacuating: return v2::EVACUATING;
    case Presence::kRetiring: return v2::RETIRING;
  }
  return v2::PRESENCE_UNSPECIFIED;
}

void Fill(const ProcessGuid& guid, const ActualLrp& lrp, v2::ActualLRP& m) {
  m.set_actual_id(lrp.id.str());
  m.set_process_guid(guid.str());
  m.set_incarnation(lrp.incarnation);
  m.set_index(lrp.index);
  m.set_domain(lrp.domain);
  m.set_presence(ToMessage(lrp.presence));
  m.set_state(std::string(Name(lrp.state)));
  m.set_definition_identifier(lrp.definition.str());
  m.set_roll_id(lrp.roll_id.str());
  m.mutable_instance_key()->set_instance_guid(lrp.instance_guid.str());
  m.mutable_instance_key()->set_cell_id(lrp.cell_id.str());
  if (lrp.state == LrpState::kRunning) {
    Fill(lrp.net_info, *m.mutable_net_info());
    Fill(lrp.labels, m);
  }
  m.set_crash_count(lrp.crash_count);
  m.set_crash_reason(lrp.crash_reason);
  m.set_placement_error(lrp.placement_error);
  m.set_since(Nanos(lrp.since));
  m.set_routable(lrp.routable);
  m.set_routable_since(Nanos(lrp.routable_since));
  for (const ConsumerId& consumer : lrp.applied_by) m.add_applied_by(consumer.str());
  for (const ConsumerId& consumer : lrp.drained_by) m.add_drained_by(consumer.str());
  m.set_retiring_since(Nanos(lrp.retiring_since));
  m.set_stop_ordered_at(Nanos(lrp.stop_ordered_at));
  Fill(lrp.tag, *m.mutable_modification_tag());
  m.set_availability_zone(lrp.zone);
}

v2::ActualLRP ToMessage(const ProcessGuid& guid, const ActualLrp& lrp) {
  v2::ActualLRP message;
  Fill(guid, lrp, message);
  return message;
}

void Fill(const ProcessGuid& guid, const DesiredLrp& d, v2::DesiredLRP& m) {
  m.set_process_guid(guid.str());
  m.set_domain(d.domain);
  m.set_log_guid(d.log_guid);
  m.set_instances(d.instances);
  Fill(d.routes, *m.mutable_routes());
  m.set_annotation(d.annotation);
  if (!d.metric_tags.empty()) *m.mutable_metric_tags() = MetricTagsFrom(d.metric_tags).tags();
  m.set_image_username(d.image_username);
  if (!d.image_password.empty()) m.set_image_password(kRedacted);
  Fill(d.strategy, *m.mutable_strategy());
  if (d.definition_history) m.set_definition_history(*d.definition_history);
  Fill(d.tag, *m.mutable_modification_tag());
  m.set_incarnation(d.incarnation);
  m.set_active_definition(d.active.str());
  m.set_healthy_definition(d.healthy.str());
}

v2::DesiredLRP ToMessage(const ProcessGuid& guid, const DesiredLrp& desired) {
  v2::DesiredLRP message;
  Fill(guid, desired, message);
  return message;
}

void FillSchedulingInfo(const ProcessGuid& guid, const DesiredLrp& d, const Definition& active,
                        v2::DesiredLRPSchedulingInfo& m) {
  m.set_process_guid(guid.str());
  m.set_domain(d.domain);
  m.set_log_guid(d.log_guid);
  m.set_instances(d.instances);
  m.set_annotation(d.annotation);
  Fill(d.routes, *m.mutable_routes());
  Fill(d.tag, *m.mutable_modification_tag());
  m.set_active_definition(d.active.str());
  m.set_content_hash(active.content_hash);
  m.mutable_resource()->set_memory_mb(static_cast<std::int32_t>(active.resources.memory_mb));
  m.mutable_resource()->set_disk_mb(static_cast<std::int32_t>(active.resources.disk_mb));
  m.mutable_resource()->set_max_pids(static_cast<std::int32_t>(active.resources.pids));
  m.mutable_resource()->set_root_fs(active.root_fs);
  for (const auto& tag : active.placement_tags) m.add_placement_tags(tag);
  for (const auto port : active.ports) m.add_ports(port);
  for (const std::string& need : active.needs) {
    if (need.starts_with(kVolumeDriverNeed)) m.add_volume_drivers(need.substr(kVolumeDriverNeed.size()));
  }
  if (!d.metric_tags.empty()) *m.mutable_metric_tags() = MetricTagsFrom(d.metric_tags).tags();
}

v2::RollState ToMessage(RollState state) {
  return static_cast<v2::RollState>(static_cast<int>(state) + 1);  // same order; 0 is UNSPECIFIED
}

v2::Roll ToMessage(const ProcessGuid& guid, const Roll& roll) {
  v2::Roll m;
  m.set_roll_id(roll.id.str());
  m.set_process_guid(guid.str());
  m.set_incarnation(roll.incarnation);
  m.set_source_definition(roll.source.str());
  m.set_target_definition(roll.target.str());
  m.set_state(ToMessage(roll.state));
  if (roll.paused_by_hand) m.add_paused_because(v2::HAND);
  if (roll.stage_since) m.add_paused_because(v2::STAGE);
  m.set_stages_done(roll.stages_done);
  m.set_verdict(roll.verdict);
  m.set_reason(roll.reason);
  m.set_revision(roll.revision);
  m.set_opened_at(Nanos(roll.opened_at));
  m.set_finished_at(Nanos(roll.finished_at));
  const bool clock_runs = roll.state == RollState::kRolling && !roll.clock_stopped_at;
  m.set_deadline_at(clock_runs ? Nanos(roll.deadline) : 0);
  m.set_actor(roll.actor);
  m.set_proven(roll.proved_at.has_value());
  if (roll.finished_at) SetTimes(roll, *roll.finished_at, m);
  return m;
}

void SetTimes(const Roll& roll, TimePoint now, v2::Roll& m) {
  const Duration waited = roll.waited + (roll.waits_from ? now - *roll.waits_from : Duration(0));
  m.set_waiting_ms(Millis(waited));
  m.set_active_ms(Millis(now - roll.opened_at - waited));
}

v2::RollStep ToMessage(const RollStep& step) {
  v2::RollStep m;
  m.set_sequence(step.sequence);
  m.set_at(Nanos(step.at));
  m.set_kind(std::string(Name(step.kind)));
  m.set_index(step.index);
  m.set_actual_id(step.actual_id.str());
  m.set_definition_identifier(step.definition.str());
  m.set_text(step.text);
  m.set_actor(step.actor);
  m.set_start_ms(Millis(step.start_took));
  m.set_stop_ms(Millis(step.stop_took));
  return m;
}

v2::Reason ToMessage(const Reason& reason) {
  v2::Reason m;
  m.set_rule(std::string(reason.rule));
  m.set_index(reason.index);
  m.set_text(reason.text);
  m.set_since(Nanos(reason.since));
  m.set_until(Nanos(reason.until));
  m.set_unblocks(reason.unblocks);
  return m;
}

v2::Definition DefinitionStatus(const AppState& app, const DefinitionKey& key, int history) {
  const Definition& d = app.definitions.at(key);
  v2::Definition m;
  m.set_process_guid(app.guid.str());
  m.set_incarnation(key.incarnation);
  m.set_definition_identifier(d.id.str());
  m.set_content_hash(d.content_hash);
  m.set_created_at(Nanos(d.created_at));
  m.set_proven_at(Nanos(d.proven_at));
  for (const auto& [route_port, own_port] : d.port_aliases) (*m.mutable_port_aliases())[route_port] = own_port;
  if (app.desired && app.desired->incarnation == key.incarnation) {
    const Ports ports(d, app.desired->routes);
    for (const MappedRoute& route : app.desired->routes.mapped) {
      (*m.mutable_route_ports())[Name(route.route)] = BindingOf(route, ports).port;
    }
  }
  m.set_pinned(d.pinned);
  for (const KeepReason reason : WhyKept(app, key, history)) m.add_kept_because(ToMessage(reason));
  m.set_instances(static_cast<std::int32_t>(std::ranges::count_if(app.actuals, [&](const auto& entry) {
    return entry.second.incarnation == key.incarnation && entry.second.definition == key.id;
  })));
  return m;
}

}  // namespace baton::wire
