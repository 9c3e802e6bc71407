#include "orchestrator/server/cells/cell_messages.h"

#include "orchestrator/access/cell_rules.h"
#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/server/apps/requests.h"
#include "orchestrator/server/instances/labels.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/values.h"

namespace baton {
namespace {

constexpr std::int64_t kAmountMax = std::int64_t{1} << 40;
constexpr std::int64_t kPortsMax = 65'535;
constexpr int kListMax = 256;
constexpr int kInstancesMax = 10'000;

Resources ResourcesFrom(const v2::Resources& message) {
  return {.memory_mb = message.memory_mb(),
          .disk_mb = message.disk_mb(),
          .pids = message.pids(),
          .containers = message.containers()};
}

Status CheckResources(const std::string& field, const v2::Resources& resources) {
  if (Status s = wire::CheckRange(field + ".memory_mb", resources.memory_mb(), 0, kAmountMax); !s) return s;
  if (Status s = wire::CheckRange(field + ".disk_mb", resources.disk_mb(), 0, kAmountMax); !s) return s;
  if (Status s = wire::CheckRange(field + ".pids", resources.pids(), 0, kAmountMax); !s) return s;
  return wire::CheckRange(field + ".containers", resources.containers(), 0, 1'000'000);
}

template <class Texts>
Result<std::vector<std::string>> ListFrom(const std::string& field, const Texts& texts) {
  if (texts.size() > kListMax) {
    return InvalidArgument(field + " has " + std::to_string(texts.size()) + " entries, at most " +
                           std::to_string(kListMax) + " are taken");
  }
  std::vector<std::string> list;
  for (const std::string& text : texts) {
    if (Status s = wire::CheckText(field, text, wire::kNameBytesMax); !s) return s.error();
    list.push_back(text);
  }
  return list;
}

Result<std::vector<CellInstanceView>> InstancesFrom(const v2::CellHello& hello) {
  if (hello.instances_size() > kInstancesMax) {
    return InvalidArgument("instances has " + std::to_string(hello.instances_size()) + " entries, at most " +
                           std::to_string(kInstancesMax) + " are taken of one cell");
  }
  std::vector<CellInstanceView> instances;
  for (const v2::CellInstance& one : hello.instances()) {
    if (Status s = wire::CheckName("instances.actual_id", one.actual_id()); !s) return s.error();
    if (Status s = wire::CheckName("instances.instance_guid", one.instance_guid()); !s) return s.error();
    if (Status s = wire::CheckName("instances.process_guid", one.process_guid()); !s) return s.error();
    if (Status s = CheckResources("instances.resources", one.resources()); !s) return s.error();
    if (Status s = wire::CheckRange("instances.host_ports", one.host_ports(), 0, kPortsMax); !s) return s.error();
    instances.push_back({ActualId(one.actual_id()), InstanceGuid(one.instance_guid()), ProcessGuid(one.process_guid()),
                         ResourcesFrom(one.resources()), one.host_ports(), one.state() == v2::CellInstance::CLAIMING});
  }
  return instances;
}

Result<std::optional<PortSpan>> PortsFrom(const v2::CellHello& hello) {
  if (hello.host_port_first() == 0 && hello.host_port_last() == 0) return std::optional<PortSpan>();
  if (Status s = wire::CheckRange("host_port_first", hello.host_port_first(), kInstancePortMin, kPortsMax); !s)
    return s.error();
  if (Status s = wire::CheckRange("host_port_last", hello.host_port_last(), hello.host_port_first(), kPortsMax); !s)
    return s.error();
  return std::optional(PortSpan{static_cast<std::uint32_t>(hello.host_port_first()), static_cast<std::uint32_t>(hello.host_port_last())});
}

// One that is not known yet is like none.
Lack LackFrom(v2::CellReport::Rejected::Lack lack) {
  switch (lack) {
    case v2::CellReport::Rejected::MEMORY: return Lack::kMemory;
    case v2::CellReport::Rejected::DISK: return Lack::kDisk;
    case v2::CellReport::Rejected::PIDS: return Lack::kPids;
    case v2::CellReport::Rejected::CONTAINERS: return Lack::kContainers;
    case v2::CellReport::Rejected::HOST_PORTS: return Lack::kHostPorts;
    case v2::CellReport::Rejected::CELL: return Lack::kCell;
    default: return Lack::kOther;
  }
}

// What is kept of a crash: the cell's sentence, how it ended unless the sentence says so, and its last words.
std::string CrashText(const v2::CellReport::Crashed& crashed) {
  std::string text = crashed.reason();
  if (crashed.has_exit_status()) {
    const int status = crashed.exit_status();
    const std::string end = status < 0 ? "signal " + std::to_string(-status) : "exit status " + std::to_string(status);
    if (text.empty()) text = end;
    if (text.find(end) == std::string::npos) text += " (" + end + ")";
  }
  if (!crashed.last_output().empty()) text += "\n" + crashed.last_output();
  return wire::Clean(text);
}

}  // namespace

Result<CellGreeting> GreetingFrom(const v2::CellHello& hello) {
  if (hello.protocol_version() != kCellProtocol) {
    return Error{ErrorKind::kFailedPrecondition,
                 "protocol_version is " + std::to_string(hello.protocol_version()) + ", this batond speaks " +
                     std::to_string(kCellProtocol) + ": use a baton-cell that speaks it too",
                 {}};
  }
  if (Status s = wire::CheckName("cell_id", hello.cell_id()); !s) return s.error();
  if (Status s = wire::CheckText("zone", hello.zone(), wire::kNameBytesMax); !s) return s.error();
  if (Status s = wire::CheckText("address", hello.address(), wire::kNameBytesMax); !s) return s.error();
  if (Status s = wire::CheckText("version", hello.version(), wire::kNameBytesMax); !s) return s.error();
  if (Status s = wire::CheckText("directory_id", hello.directory_id(), wire::kNameBytesMax); !s) return s.error();
  if (Status s = wire::CheckText("store_id", hello.store_id(), wire::kNameBytesMax); !s) return s.error();
  if (Status s = CheckResources("capacity", hello.capacity()); !s) return s.error();
  if (Status s = wire::CheckRange("host_ports", hello.host_ports(), 0, kPortsMax); !s) return s.error();
  auto ports = PortsFrom(hello);
  if (!ports) return ports.error();
  auto stacks = ListFrom("stacks", hello.stacks());
  auto tags = ListFrom("placement_tags", hello.placement_tags());
  auto abilities = ListFrom("abilities", hello.abilities());
  auto enforces = ListFrom("enforces", hello.enforces());
  for (const auto* list : {&stacks, &tags, &abilities, &enforces}) {
    if (!*list) return list->error();
  }
  auto instances = InstancesFrom(hello);
  if (!instances) return instances.error();
  CellGreeting greeting;
  greeting.record.id = CellId(hello.cell_id());
  greeting.record.zone = wire::ShortWord(hello.zone());
  greeting.record.address = hello.address();
  greeting.record.capacity = ResourcesFrom(hello.capacity());
  greeting.record.host_ports = hello.host_ports();
  greeting.record.ports = *std::move(ports);
  greeting.record.stacks = *std::move(stacks);
  greeting.record.placement_tags = *std::move(tags);
  greeting.record.abilities = *std::move(abilities);
  greeting.record.enforces = *std::move(enforces);
  greeting.record.version = wire::ShortWord(hello.version());
  greeting.instances = *std::move(instances);
  greeting.highest_epoch = hello.highest_epoch();
  greeting.directory_id = hello.directory_id();
  greeting.store_id = hello.store_id();
  return greeting;
}

Result<CellReport> ReportFrom(const v2::CellReport& message) {
  if (Status s = wire::CheckName("actual_id", message.actual_id()); !s) return s.error();
  // A cell that rejects an order has not begun to run anything, so there is no start to name.
  const bool named = message.fact_case() != v2::CellReport::kRejected || !message.instance_guid().empty();
  if (named) {
    if (Status s = wire::CheckName("instance_guid", message.instance_guid()); !s) return s.error();
  }
  CellReport report{message.report_id(), ActualId(message.actual_id()), InstanceGuid(message.instance_guid()), {}};
  switch (message.fact_case()) {
    case v2::CellReport::kClaimed: report.fact = Claimed{}; return report;
    case v2::CellReport::kStarted: {
      const auto& started = message.started();
      if (Status s = CheckNetInfo(started.net_info()); !s) return s.error();
      if (Status s = wire::CheckText("availability_zone", started.availability_zone(), wire::kNameBytesMax); !s) {
        return s.error();
      }
      auto labels = LabelsFrom(started);
      if (!labels) return labels.error();
      report.fact = Started{wire::NetInfoFrom(started.net_info()), started.routable(), wire::ShortWord(started.availability_zone()),
                            *std::move(labels)};
      return report;
    }
    case v2::CellReport::kCrashed: report.fact = Crashed{CrashText(message.crashed())}; return report;
    case v2::CellReport::kStopped: report.fact = Stopped{}; return report;
    case v2::CellReport::kRejected:
      report.fact = Rejected{CutReason(wire::Clean(message.rejected().reason())), LackFrom(message.rejected().lack())};
      return report;
    case v2::CellReport::FACT_NOT_SET: break;
  }
  return InvalidArgument("fact is not set: one of claimed, started, crashed, stopped, rejected");
}

CellOutput OutputFrom(const v2::CellOutput& message) {
  return {.id = message.ask_id(),
          .output = message.output().substr(0, kOutputBytesMax),
          .place = message.place().substr(0, kPlaceBytesMax),
          .more = message.more(),
          .lost = message.lost(),
          .error = CutReason(wire::Clean(message.error()))};
}

namespace {

void Fill(v2::RunOrder& order, const RunInstance& run) {
  order.set_actual_id(run.id.str());
  order.set_process_guid(run.guid.str());
  order.set_incarnation(run.incarnation);
  order.set_index(run.index);
  order.set_definition_identifier(run.definition.id.str());
  order.set_content_hash(run.definition.content_hash);
  *order.mutable_resources() = wire::ToMessage(run.definition.resources);
  order.set_start_timeout_ms(Millis(run.start_timeout));
  order.set_domain(run.domain);
  order.set_egress_unenforced(run.egress_unenforced);
}

void Fill(v2::CellWelcome& message, const CellWelcome& welcome, std::int64_t epoch) {
  message.set_epoch(epoch);
  message.set_heartbeat_interval_ms(Millis(welcome.heartbeat));
  message.set_lease_ms(Millis(welcome.lease));
  message.set_store_id(welcome.store.id);
  for (const std::string& accepted : welcome.store.accepted) message.add_accepted_store_ids(accepted);
}

v2::CellReportResult::Outcome OutcomeOf(ReportOutcome outcome) {
  switch (outcome) {
    case ReportOutcome::kApplied: return v2::CellReportResult::APPLIED;
    case ReportOutcome::kUnchanged: return v2::CellReportResult::UNCHANGED;
    case ReportOutcome::kRefused: return v2::CellReportResult::REFUSED;
    case ReportOutcome::kRetry: return v2::CellReportResult::RETRY;
  }
  return v2::CellReportResult::OUTCOME_UNSPECIFIED;
}

}  // namespace

v2::LeaderToCell ToMessage(const CellOrders& orders) {
  v2::LeaderToCell message;
  message.set_epoch(orders.epoch);
  if (orders.welcome) Fill(*message.mutable_welcome(), *orders.welcome, orders.epoch);
  for (const RunInstance& run : orders.run) Fill(*message.add_run(), run);
  for (const StopInstance& stop : orders.stop) {
    v2::StopOrder& order = *message.add_stop();
    order.set_actual_id(stop.id.str());
    order.set_instance_guid(stop.instance_guid.str());
    order.set_grace_ms(Millis(stop.grace));
  }
  for (const OutputAsk& ask : orders.output) {
    v2::OutputAsk& told = *message.add_output();
    told.set_ask_id(ask.id);
    told.set_actual_id(ask.actual.str());
    told.set_instance_guid(ask.start.str());
    told.set_lines(ask.lines);
    told.set_after(ask.after);
  }
  for (const ReportAnswer& answer : orders.answers) {
    v2::CellReportResult& result = *message.add_results();
    result.set_report_id(answer.report_id);
    result.set_outcome(OutcomeOf(answer.outcome));
    result.set_message(answer.message);
  }
  return message;
}

v2::Cell ToMessage(const CellRecord& record, const Cells::View* view) {
  v2::Cell message = wire::ToMessage(record);
  if (!view) return message;
  *message.mutable_available() = wire::ToMessage(view->free);
  message.set_connected(view->connected);
  message.set_held_off(view->held_off);
  return message;
}

}  // namespace baton
