#include "tests/bench/cells/simulated_cell.h"

#include <utility>

#include "tests/bench/shapes.h"
#include "tools/cell/messages.h"

namespace baton::bench {
namespace {

constexpr std::size_t kReportsMax = 1000;
constexpr std::chrono::milliseconds kRetry{50};
constexpr std::uint32_t kHostPorts = 20'000;  // from here on, so many
constexpr std::uint64_t kClaimed = 1;
constexpr std::uint64_t kStarted = 2;
constexpr std::uint64_t kStopped = 3;
constexpr std::uint64_t kRejected = 4;

}  // namespace

SimulatedCell::SimulatedCell(shim::EventLoop& loop, Log& log, const Options& options)
    : loop_(loop), options_(options), session_(loop, log, *this, options.batond, options.dir) {}

v2::CellHello SimulatedCell::Hello() {
  v2::CellHello hello;
  hello.set_protocol_version(cell::kProtocolVersion);
  hello.set_cell_id(options_.id);
  hello.set_zone("z1");
  hello.mutable_capacity()->set_memory_mb(1'000'000'000);
  hello.mutable_capacity()->set_disk_mb(1'000'000'000);
  hello.mutable_capacity()->set_containers(1'000'000);
  hello.add_stacks("host:");
  for (const char* ability : kAbilities) hello.add_abilities(ability);
  for (const auto& [actual_id, instance] : instances_) {
    v2::CellInstance& there = *hello.add_instances();
    there.set_actual_id(actual_id);
    there.set_instance_guid(instance.guid);
    there.set_process_guid(instance.order.process_guid());
    there.set_incarnation(instance.order.incarnation());
    there.set_index(instance.order.index());
    there.set_definition_identifier(instance.order.definition_identifier());
    *there.mutable_resources() = instance.order.resources();
    there.set_state(instance.state);
    there.set_routable(instance.state == v2::CellInstance::RUNNING);
    if (there.routable()) *there.mutable_net_info() = NetInfo(instance);
  }
  return hello;
}

void SimulatedCell::Connected() {
  outbox_.Retry();
  FlushSoon();
}

void SimulatedCell::Run(const v2::RunOrder& order) {
  if (options_.start.count() < 0 || instances_.contains(order.actual_id())) return;
  const std::int64_t wanted_mb = order.resources().memory_mb();
  if (wanted_mb > kSimulatedMemoryMb) {
    return Reject(order, cell::TooLittle(Lack::kMemory, wanted_mb, kSimulatedMemoryMb));
  }
  Instance& instance = instances_[order.actual_id()];
  instance.order = order;
  // Says whose it is: a row that names another cell or instance beside it was mixed up.
  instance.start = ++starts_;
  instance.guid = options_.id + ":" + order.actual_id() + ":" + std::to_string(instance.start);
  options_.holds ? held_.push_back(order.actual_id()) : Claim(order.actual_id());
}

void SimulatedCell::Reject(const v2::RunOrder& order, const cell::Shortage& shortage) {
  v2::CellReport report;
  report.mutable_rejected()->set_reason(shortage.text);
  report.mutable_rejected()->set_lack(cell::AsMessage(shortage.lack));
  Tell(order.actual_id(), options_.id + ":" + order.actual_id() + ":" + std::to_string(++starts_), kRejected,
       std::move(report));
}

void SimulatedCell::Release() {
  for (const std::string& actual_id : std::exchange(held_, {})) Claim(actual_id);
}

void SimulatedCell::Claim(const std::string& actual_id) {
  v2::CellReport report;
  report.mutable_claimed();
  Tell(actual_id, instances_.at(actual_id).guid, kClaimed, std::move(report));
}

void SimulatedCell::Started(const std::string& actual_id) {
  const auto at = instances_.find(actual_id);
  if (at == instances_.end() || at->second.state != v2::CellInstance::STARTING) return;
  at->second.state = v2::CellInstance::RUNNING;
  v2::CellReport report;
  report.mutable_started()->set_routable(true);
  *report.mutable_started()->mutable_net_info() = NetInfo(at->second);
  report.mutable_started()->set_availability_zone("z1");
  Tell(actual_id, at->second.guid, kStarted, std::move(report));
}

v1::ActualLRPNetInfo SimulatedCell::NetInfo(const Instance& instance) const {
  v1::ActualLRPNetInfo net;
  net.set_address("127.0.0.1");
  if (options_.container_port == 0) return net;
  net.add_ports()->set_container_port(static_cast<std::uint32_t>(options_.container_port));
  net.mutable_ports(0)->set_host_port(kHostPorts + instance.start % kHostPorts);
  return net;
}

void SimulatedCell::After(std::chrono::milliseconds time, std::function<void()> then) {
  time.count() > 0 ? void(loop_.After(time, std::move(then))) : then();
}

void SimulatedCell::Stop(const v2::StopOrder& order) {
  After(options_.stop, [this, order] { Stopped(order); });
}

void SimulatedCell::Stopped(const v2::StopOrder& order) {
  const auto at = instances_.find(order.actual_id());
  v2::CellReport report;
  report.mutable_stopped();
  if (at != instances_.end()) at->second.state = v2::CellInstance::STOPPING;
  Tell(order.actual_id(), at == instances_.end() ? order.instance_guid() : at->second.guid, kStopped, std::move(report));
}

void SimulatedCell::Result(const v2::CellReportResult& result) {
  if (options_.tally) options_.tally->Answered(options_.id, result);
  if (result.outcome() == v2::CellReportResult::RETRY) {
    const bool waiting = outbox_.postponed();
    outbox_.Postpone(result.report_id());
    if (waiting) return;
    loop_.After(kRetry, [this] {
      outbox_.Retry();
      FlushSoon();
    });
    return;
  }
  const auto answered = outbox_.Answer(result.report_id());
  FlushSoon();
  if (!answered) return;
  const std::string id = answered->subject.actual_id;
  const auto at = instances_.find(id);
  if (at == instances_.end()) return;
  if (answered->fact_number == kStopped || result.outcome() == v2::CellReportResult::REFUSED) {
    instances_.erase(at);
  } else if (answered->fact_number == kClaimed && at->second.state == v2::CellInstance::CLAIMING) {
    at->second.state = v2::CellInstance::STARTING;
    After(options_.start, [this, id] { Started(id); });
  } else if (answered->fact_number == kStarted && options_.tally) {
    options_.tally->Running();
  }
}

void SimulatedCell::Tell(const std::string& actual_id, const std::string& guid, std::uint64_t fact,
                         v2::CellReport report) {
  report.set_actual_id(actual_id);
  report.set_instance_guid(guid);
  outbox_.Put({actual_id, guid}, fact, std::move(report));
  FlushSoon();
}

void SimulatedCell::FlushSoon() {
  if (std::exchange(flush_posted_, true)) return;
  loop_.Post([this] {
    flush_posted_ = false;
    while (session_.connected()) {
      std::vector<v2::CellReport> reports = outbox_.Take(kReportsMax);
      if (reports.empty()) return;
      v2::CellMessage message;
      for (v2::CellReport& report : reports) {
        if (options_.tally) options_.tally->Sent(options_.id, report.report_id());
        *message.mutable_reports()->add_reports() = std::move(report);
      }
      session_.Send(std::move(message));
    }
  });
}

}  // namespace baton::bench
