#include "tests/server/scripted_cell.h"

#include "orchestrator/base/check.h"

namespace baton {

ScriptedCell::ScriptedCell(v2::Cells::Stub& cells, const std::string& id) {
  hello_.set_protocol_version(1);
  hello_.set_cell_id(id);
  hello_.set_directory_id("directory of " + id);  // one machine, however often it connects
  hello_.set_zone("z1");
  hello_.mutable_capacity()->set_memory_mb(4096);
  hello_.mutable_capacity()->set_disk_mb(4096);
  hello_.mutable_capacity()->set_containers(100);
  hello_.add_stacks("host:");
  for (const char* ability : {"run", "user"}) hello_.add_abilities(ability);
  Open(cells.Connect(&context_));
}

void ScriptedCell::Hello() {
  v2::CellMessage message;
  *message.mutable_hello() = hello_;
  Send(message);
  std::unique_lock lock(mutex_);
  CHECK(changed_.wait_for(lock, kPatience, [&] { return !heard_.empty() || ended_; }));
}

void ScriptedCell::HelloUntilCompared() {
  // No row knows it, so it is told to stop it, by the comparison.
  const std::string stray = "stray-of-" + hello_.cell_id();
  v2::CellInstance& instance = *hello_.add_instances();
  instance.set_actual_id(stray);
  instance.set_instance_guid("stray-run");
  instance.set_process_guid("gone");
  instance.set_state(v2::CellInstance::RUNNING);
  Hello();
  CHECK(WasToldToStop(stray));
}

v2::CellWelcome ScriptedCell::Welcome() {
  const std::lock_guard lock(mutex_);
  CHECK(!heard_.empty() && heard_.front().has_welcome());
  return heard_.front().welcome();
}

bool ScriptedCell::IsWelcome() {
  const std::lock_guard lock(mutex_);
  return !heard_.empty() && heard_.front().has_welcome();
}

void ScriptedCell::KeepBeating() {
  v2::CellMessage beat;
  beat.mutable_heartbeat();
  Beat(beat);
}

v2::CellReportResult ScriptedCell::Report(v2::CellReport report) {
  const std::uint64_t id = next_report_++;
  report.set_report_id(id);
  v2::CellMessage message;
  *message.mutable_reports()->add_reports() = std::move(report);
  Send(message);
  v2::CellReportResult found;
  std::unique_lock lock(mutex_);
  const bool answered = changed_.wait_for(lock, kPatience, [&] {
    for (const v2::LeaderToCell& heard : heard_) {
      for (const v2::CellReportResult& result : heard.results()) {
        if (result.report_id() != id) continue;
        found = result;
        return true;
      }
    }
    return ended_;
  });
  CHECK(answered);
  return found;
}

template <class One>
One ScriptedCell::Next(const google::protobuf::RepeatedPtrField<One>& (v2::LeaderToCell::*list)() const, std::size_t& taken) {
  One next;
  std::unique_lock lock(mutex_);
  CHECK(changed_.wait_for(lock, kPatience, [&] {
    std::size_t at = 0;
    for (const v2::LeaderToCell& heard : heard_) {
      for (const One& one : (heard.*list)()) {
        if (at++ < taken) continue;
        next = one;
        ++taken;
        return true;
      }
    }
    return false;
  }));
  return next;
}

v2::RunOrder ScriptedCell::NextRun() { return Next<v2::RunOrder>(&v2::LeaderToCell::run, runs_taken_); }

v2::OutputAsk ScriptedCell::NextOutputAsk() { return Next<v2::OutputAsk>(&v2::LeaderToCell::output, asks_taken_); }

void ScriptedCell::Show(const v2::OutputAsk& ask, v2::CellOutput output) {
  v2::CellMessage message;
  output.set_ask_id(ask.ask_id());
  *message.mutable_output() = std::move(output);
  Send(message);
}

bool ScriptedCell::WasToldToStop(const std::string& actual_id) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPatience, [&] { return HeardStop(actual_id); });
}

bool ScriptedCell::HasHeardStop(const std::string& actual_id) {
  const std::lock_guard lock(mutex_);
  return HeardStop(actual_id);
}

bool ScriptedCell::HeardStop(const std::string& actual_id) const {
  for (const v2::LeaderToCell& heard : heard_) {
    for (const v2::StopOrder& stop : heard.stop()) {
      if (stop.actual_id() == actual_id) return true;
    }
  }
  return false;
}

bool ScriptedCell::WaitForEnd() {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPatience, [&] { return ended_; });
}

grpc::Status ScriptedCell::Finish() {
  CHECK(WaitForEnd());
  const std::lock_guard lock(mutex_);
  return end_;
}

v2::CellReport ScriptedCell::Claimed(const std::string& actual_id, const std::string& suffix) {
  v2::CellReport report;
  report.set_actual_id(actual_id);
  report.set_instance_guid(actual_id + suffix);
  report.mutable_claimed();
  return report;
}

v2::CellReport ScriptedCell::Started(const std::string& actual_id, const std::string& suffix) {
  v2::CellReport report = Claimed(actual_id, suffix);
  report.mutable_started()->set_routable(true);
  v1::ActualLRPNetInfo& net = *report.mutable_started()->mutable_net_info();
  net.set_address("127.0.0.1");
  net.add_ports()->set_container_port(8080);
  net.mutable_ports(0)->set_host_port(61001);
  return report;
}

v2::CellReport ScriptedCell::Crashed(const std::string& actual_id, const std::string& suffix) {
  v2::CellReport report = Claimed(actual_id, suffix);
  report.mutable_crashed()->set_exit_status(3);
  report.mutable_crashed()->set_reason("it fell over");
  report.mutable_crashed()->set_last_output("Segmen\x01\x02tation fault");
  return report;
}

std::set<std::int64_t> ScriptedCell::EpochsHeard() {
  const std::lock_guard lock(mutex_);
  std::set<std::int64_t> epochs;
  for (const v2::LeaderToCell& message : heard_) epochs.insert(message.epoch());
  return epochs;
}

v2::CellReport ScriptedCell::Rejected(const std::string& actual_id, const std::string& reason,
                                      v2::CellReport::Rejected::Lack lack) {
  v2::CellReport report;
  report.set_actual_id(actual_id);
  report.mutable_rejected()->set_reason(reason);
  report.mutable_rejected()->set_lack(lack);
  return report;
}

}  // namespace baton
