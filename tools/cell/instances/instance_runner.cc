#include "tools/cell/instances/instance_runner.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "tools/cell/abilities.h"
#include "tools/cell/instances/environment.h"
#include "tools/shim/atomic_file.h"
#include "tools/shim/steps/plan.h"

namespace baton::cell {
namespace {

using Phase = InstancePhase;
using std::chrono::milliseconds;

constexpr std::int64_t kDefaultStartTimeoutMs = 60'000;
// What a shim has beyond the grace to kill the rest and write its last state.
constexpr milliseconds kStuckAfter{5000};

bool IsStartingUp(Phase phase) {
  return phase == Phase::kFetching || phase == Phase::kLaunching || phase == Phase::kStarting;
}
bool IsOver(Phase phase) { return phase == Phase::kEnded || phase == Phase::kForgotten; }

std::int64_t StartTimeout(const InstanceOrder& order) {
  return order.start_timeout_ms > 0 ? order.start_timeout_ms : kDefaultStartTimeoutMs;
}

std::int64_t DownloadMb(const InstanceOrder& order, const CellOptions& options) {
  return order.resources.disk_mb > 0 ? order.resources.disk_mb : options.download_mb;
}

}  // namespace

InstanceRunner::InstanceRunner(CellTools& tools, InstanceOwner& owner, InstanceRecord record)
    : tools_(tools), owner_(owner),
      record_(std::move(record)), dir_{InstancesPath(tools.options.dir) + "/" + record_.instance_guid} {
  ShimHandle::Events events;
  events.up = [this] { Handle(event::ShimUp{}); };
  events.running = [this] { ActionRuns(); };
  events.failed = [this](const std::string& reason) { Handle(event::Lacks{reason, Lack::kCell}); };
  events.ended = [this](const shim::ShimState& last) {
    Handle(event::ShimEnded{last.exit_status, last.reason, last.last_output, last.lacks});
  };
  shim_ = std::make_unique<ShimHandle>(tools_.loop, tools_.programs, tools_.watcher, tools_.options.shim_path, dir_,
                                       record_.instance_guid, std::move(events));
}

InstanceRunner::~InstanceRunner() {
  tools_.loop.Cancel(start_timer_);
  tools_.loop.Cancel(stuck_timer_);
}

Status InstanceRunner::Begin() {
  // Passable for a user that an action may become; what is private in it is 0600.
  if (mkdir(dir_.path.c_str(), 0711) != 0 || chmod(dir_.path.c_str(), 0711) != 0) {
    return Error{ErrorKind::kInternal, "cannot make " + dir_.path + ": " + std::strerror(errno), std::nullopt};
  }
  InstanceStep step = BeginInstance();
  record_.state = std::move(step.state);
  if (const Status written = WriteRecord(dir_, record_); !written) return written;
  LogPhase();
  for (const InstanceAction action : step.actions) Perform(action);
  return Done{};
}

void InstanceRunner::Resume() {
  LogPhase();
  if (!IsOver(state().phase)) {
    for (const auto& [port, host_port] : record_.ports) tools_.ports.Reserve(host_port);
  }
  if (IsStartingUp(state().phase)) StartClock();
  const bool adopts =
      state().phase == Phase::kStarting || state().phase == Phase::kRunning || state().phase == Phase::kStopping;
  for (const InstanceAction action : baton::cell::Resume(state())) Perform(action);
  if (adopts) shim_->Adopt();
}

bool InstanceRunner::HasProcesses() const {
  return state().phase == Phase::kLaunching || state().phase == Phase::kStarting || state().phase == Phase::kRunning ||
         state().phase == Phase::kStopping;
}

void InstanceRunner::Handle(const InstanceEvent& event) {
  InstanceStep step = React(record_.state, event, tools_.options.grace_ms);
  const InstanceState before = std::exchange(record_.state, std::move(step.state));
  const bool moved = before.phase != state().phase;
  if (moved && state().phase == Phase::kFetching) record_.claimed_at_ms = shim::WallMillis();
  if (moved && IsOver(state().phase) && !IsOver(before.phase)) record_.ended_at_ms = shim::WallMillis();
  if (!(before == state())) Save();
  if (moved) Settle(before.phase);
  if (before.fact.kind != Fact::Kind::kNone && state().fact.kind == Fact::Kind::kNone) owner_.Withdraw(*this);
  for (const InstanceAction action : step.actions) Perform(action);
}

void InstanceRunner::Save() {
  const Status written = WriteRecord(dir_, record_);
  if (written) return;
  tools_.log.Error("record_not_written", {{"actual_id", record_.order.actual_id},
                                          {"app", record_.order.process_guid},
                                          {"index", record_.order.index},
                                          {"error", written.error().message}});
}

void InstanceRunner::Settle(Phase before) {
  LogPhase();
  const bool checked = state().phase == Phase::kStarting || state().phase == Phase::kRunning;
  if (health_ && !checked) health_->Stop();
  if (IsOver(state().phase)) wants_definition_ = false;
  if (!IsStartingUp(state().phase)) tools_.loop.Cancel(std::exchange(start_timer_, 0));
  if (IsOver(state().phase) && !IsOver(before)) Clean();
  owner_.PhaseChanged(*this);
}

void InstanceRunner::Clean() {
  tools_.loop.Cancel(std::exchange(stuck_timer_, 0));
  for (const auto& [port, host_port] : record_.ports) tools_.ports.Give(host_port);
  tools_.cgroups.Remove(record_.instance_guid);
  // The log stays for a while; the app's files and whatever is secret do not.
  tools_.trash.Throw(dir_.Root());
  unlink(dir_.Plan().c_str());
  unlink(dir_.LaunchFile().c_str());
}

void InstanceRunner::Perform(InstanceAction action) {
  switch (action) {
    case InstanceAction::kFetch:
      StartClock();
      // A former life of the cell had come further than it could write down.
      if (state().phase == Phase::kLaunching && shim_->WasStarted()) return shim_->Adopt();
      wants_definition_ = true;
      return owner_.Fetch(*this);
    case InstanceAction::kLaunch: return Launch();
    case InstanceAction::kStopShim: return StopShim();
    case InstanceAction::kKillShim: return shim_->Kill();
    case InstanceAction::kReport: return owner_.Report(*this);
    case InstanceAction::kForget: return owner_.Forget(*this);
  }
}

void InstanceRunner::TakeDefinition(DefinitionPtr definition) {
  wants_definition_ = false;
  definition_ = std::move(definition);
  Handle(event::DefinitionHere{});
}

void InstanceRunner::Lacks(const Shortage& shortage) {
  shim_->Seal(shortage.text);
  Handle(event::Lacks{shortage.text, shortage.lack});
}

void InstanceRunner::Launch() {
  const bool unenforced = record_.order.egress_unenforced;
  if (const auto lack = CannotEnact(*definition_, MeansOf(tools_.options, geteuid() == 0), unenforced)) {
    return Lacks({Lack::kOther, *lack});
  }
  if (unenforced && definition_->run_info().egress_rules_size() > 0) {
    tools_.log.Warn("egress_unenforced", {{"actual_id", record_.order.actual_id},
                                          {"app", record_.order.process_guid},
                                          {"index", record_.order.index},
                                          {"domain", record_.order.domain},
                                          {"egress_rules", definition_->run_info().egress_rules_size()}});
  }
  const auto& ports = definition_->run_info().ports();
  if (record_.ports.empty() && !ports.empty()) {
    const std::vector<std::uint32_t> host_ports = tools_.ports.Take(static_cast<std::size_t>(ports.size()));
    if (host_ports.empty()) {
      // Others of this machine may listen on those that no instance has.
      const auto left = static_cast<std::int64_t>(tools_.ports.Left());
      return Lacks(TooLittle(Lack::kHostPorts, ports.size(), std::min<std::int64_t>(left, ports.size() - 1)));
    }
    for (int i = 0; i < ports.size(); ++i)
      record_.ports.emplace_back(ports[i], host_ports[static_cast<std::size_t>(i)]);
    Save();
  }
  if (const Status written = WriteFiles(); !written) return Lacks({Lack::kCell, written.error().message});
  definition_.reset();
  shim_->Launch();
}

Status InstanceRunner::WriteFiles() {
  const Result<std::string> cgroup = tools_.cgroups.Make(record_.instance_guid, record_.order.resources);
  if (!cgroup) return cgroup.error();
  const baton::shim::Launch launch{.instance_guid = record_.instance_guid,
                                   .grace_ms = tools_.options.grace_ms,
                                   .cache_dir = tools_.options.dir + "/cache",
                                   .download_dir = tools_.options.download_dir,
                                   .download_mb = DownloadMb(record_.order, tools_.options),
                                   .download_allow = tools_.options.download_allow,
                                   .download_proxy = tools_.options.download_proxy,
                                   .cgroup = *cgroup,
                                   .environment = CellEnvironment(record_, tools_.options.address)};
  if (const Status written = shim::WriteLaunch(dir_, launch); !written) return written;
  return shim::WriteWholeFile(dir_.Plan(), definition_->run_info().SerializeAsString());
}

void InstanceRunner::StopShim() {
  shim_->Stop(state().grace_ms);
  tools_.loop.Cancel(stuck_timer_);
  stuck_timer_ =
      tools_.loop.After(milliseconds(state().grace_ms) + kStuckAfter, [this] { Handle(event::ShimStuck{}); });
}

void InstanceRunner::ActionRuns() {
  if (state().phase != Phase::kStarting && state().phase != Phase::kRunning) return;
  const Result<v1::DesiredLRPRunInfo> plan = shim::ReadPlan(dir_);
  std::vector<CheckSpec> checks;
  if (plan) checks = ChecksOf(*plan, record_.port_map());
  if (checks.empty()) return Handle(event::Ready{});
  health_ = std::make_unique<HealthRunner>(tools_.loop, tools_.prober, tools_.programs, tools_.options.shim_path, dir_,
                                           std::move(checks), state().phase == Phase::kRunning,
                                           [this](const InstanceEvent& event) { Handle(event); });
}

void InstanceRunner::StartClock() {
  const std::int64_t limit = StartTimeout(record_.order);
  // By the wall clock, because the claim may be of a former life; never longer than the whole time.
  const std::int64_t left = std::clamp<std::int64_t>(record_.claimed_at_ms + limit - shim::WallMillis(), 0, limit);
  tools_.loop.Cancel(start_timer_);
  start_timer_ = tools_.loop.After(milliseconds(left), [this, limit] {
    std::string reason = "start timeout: not ready within " + std::to_string(limit) + " ms";
    if (health_ && !health_->last_failure().empty()) reason += " (" + health_->last_failure() + ")";
    Handle(event::NotReadyInTime{reason});
  });
}

void InstanceRunner::LogPhase() {
  const InstanceState& now = state();
  tools_.log.Info("instance", {{"actual_id", record_.order.actual_id},
                               {"app", record_.order.process_guid},
                               {"index", record_.order.index},
                               {"instance_guid", record_.instance_guid},
                               {"definition", record_.order.definition_identifier},
                               {"phase", Name(now.phase)},
                               {"fact", Name(now.fact.kind)},
                               {"exit_status", now.fact.exit_status ? std::to_string(*now.fact.exit_status) : ""},
                               {"reason", now.fact.reason}});
}

}  // namespace baton::cell
