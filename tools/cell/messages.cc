#include "tools/cell/messages.h"

#include <unistd.h>

#include "orchestrator/model/version.h"
#include "tools/cell/abilities.h"
#include "tools/cell/instances/environment.h"

namespace baton::cell {
namespace {

using Phase = InstancePhase;

v2::CellInstance::State StateOf(const InstanceState& state) {
  switch (state.phase) {
    case Phase::kClaiming: return v2::CellInstance::CLAIMING;
    case Phase::kFetching:
    case Phase::kLaunching:
    case Phase::kStarting: return v2::CellInstance::STARTING;
    case Phase::kRunning: return v2::CellInstance::RUNNING;
    case Phase::kStopping: return v2::CellInstance::STOPPING;
    case Phase::kEnded:
    case Phase::kForgotten: break;
  }
  if (state.stop_ordered) return v2::CellInstance::STOPPING;
  return state.was_running ? v2::CellInstance::RUNNING : v2::CellInstance::STARTING;
}

}  // namespace

InstanceOrder OrderOf(const v2::RunOrder& order) {
  const v2::Resources& resources = order.resources();
  return {.actual_id = order.actual_id(),
          .process_guid = order.process_guid(),
          .incarnation = order.incarnation(),
          .index = order.index(),
          .definition_identifier = order.definition_identifier(),
          .content_hash = order.content_hash(),
          // Each instance is one container, whatever the order says.
          .resources = {resources.memory_mb(), resources.disk_mb(), resources.pids(), 1},
          .start_timeout_ms = order.start_timeout_ms(),
          .domain = order.domain(),
          .egress_unenforced = order.egress_unenforced()};
}

v2::Resources AsMessage(const Resources& resources) {
  v2::Resources message;
  message.set_memory_mb(resources.memory_mb);
  message.set_disk_mb(resources.disk_mb);
  message.set_pids(resources.pids);
  message.set_containers(static_cast<std::int32_t>(resources.containers));
  return message;
}

v2::CellReport::Rejected::Lack AsMessage(Lack lack) {
  switch (lack) {
    case Lack::kOther: break;
    case Lack::kMemory: return v2::CellReport::Rejected::MEMORY;
    case Lack::kDisk: return v2::CellReport::Rejected::DISK;
    case Lack::kPids: return v2::CellReport::Rejected::PIDS;
    case Lack::kContainers: return v2::CellReport::Rejected::CONTAINERS;
    case Lack::kHostPorts: return v2::CellReport::Rejected::HOST_PORTS;
    case Lack::kCell: return v2::CellReport::Rejected::CELL;
  }
  return v2::CellReport::Rejected::LACK_UNSPECIFIED;
}

v2::CellHello GreetingOf(const CellOptions& options, const std::vector<std::string>& enforces) {
  v2::CellHello hello;
  hello.set_protocol_version(kProtocolVersion);
  hello.set_cell_id(options.id);
  hello.set_zone(options.zone);
  hello.set_address(options.address);
  *hello.mutable_capacity() = AsMessage(options.capacity);
  for (const std::string& stack : options.stacks) hello.add_stacks(stack);
  for (const std::string& tag : options.placement_tags) hello.add_placement_tags(tag);
  for (const std::string& ability : Abilities(geteuid() == 0)) hello.add_abilities(ability);
  for (const std::string& limit : enforces) hello.add_enforces(limit);
  hello.set_host_ports(static_cast<std::int32_t>(CountOf(options.ports)));
  hello.set_host_port_first(static_cast<std::int32_t>(options.ports.first));
  hello.set_host_port_last(static_cast<std::int32_t>(options.ports.last));
  hello.set_version(kAppVersion);
  return hello;
}

void AddPorts(v2::CellHello& hello, const InstanceRecord& record) {
  for (const auto& [port, host_port] : record.ports) {
    const auto taken = static_cast<std::int32_t>(host_port);
    hello.set_host_port_first(std::min(hello.host_port_first(), taken));
    hello.set_host_port_last(std::max(hello.host_port_last(), taken));
  }
}

v2::CellInstance InHand(const InstanceRecord& record, const std::string& address) {
  v2::CellInstance instance;
  instance.set_actual_id(record.order.actual_id);
  instance.set_instance_guid(record.instance_guid);
  instance.set_process_guid(record.order.process_guid);
  instance.set_incarnation(record.order.incarnation);
  instance.set_index(record.order.index);
  instance.set_definition_identifier(record.order.definition_identifier);
  *instance.mutable_resources() = AsMessage(record.order.resources);
  instance.set_state(StateOf(record.state));
  instance.set_host_ports(static_cast<std::int32_t>(record.ports.size()));
  const bool runs = record.state.phase == Phase::kRunning;
  if (instance.state() == v2::CellInstance::RUNNING) *instance.mutable_net_info() = NetInfoOf(record, address);
  instance.set_routable(runs && record.state.fact.routable);
  return instance;
}

v2::CellReport ReportOf(const InstanceRecord& record, const CellOptions& options) {
  v2::CellReport report;
  report.set_actual_id(record.order.actual_id);
  report.set_instance_guid(record.instance_guid);
  const Fact& fact = record.state.fact;
  switch (fact.kind) {
    case Fact::Kind::kNone: break;
    case Fact::Kind::kClaimed: report.mutable_claimed(); break;
    case Fact::Kind::kStarted:
      *report.mutable_started()->mutable_net_info() = NetInfoOf(record, options.address);
      report.mutable_started()->set_routable(fact.routable);
      report.mutable_started()->set_availability_zone(options.zone);
      break;
    case Fact::Kind::kCrashed:
      if (fact.exit_status) report.mutable_crashed()->set_exit_status(*fact.exit_status);
      report.mutable_crashed()->set_reason(fact.reason);
      report.mutable_crashed()->set_last_output(fact.last_output);
      break;
    case Fact::Kind::kStopped:
      report.mutable_stopped();
      if (fact.exit_status) report.mutable_stopped()->set_exit_status(*fact.exit_status);
      break;
    case Fact::Kind::kRejected:
      report.mutable_rejected()->set_reason(fact.reason);
      report.mutable_rejected()->set_lack(AsMessage(fact.lack));
      break;
  }
  return report;
}

}  // namespace baton::cell
