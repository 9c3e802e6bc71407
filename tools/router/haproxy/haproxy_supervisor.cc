#include "tools/router/haproxy/haproxy_supervisor.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "tools/router/haproxy/haproxy_socket.h"
#include "tools/router/routes/naming.h"
#include "tools/router/whole_file.h"

namespace baton::router {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Measured: a start or reload takes 50 to 110 ms with up to 4,096 backends, some hundred on a busy machine.
constexpr seconds kStartLimit{10};
constexpr seconds kReloadLimit{10};
constexpr seconds kReloadAgainAfter{30};
// A HAProxy that ran this long is started again at once.
constexpr seconds kRanWell{10};
constexpr seconds kKillAfter{2};
constexpr int kIdleReadingsWanted = 2;
constexpr off_t kLogBytesMax = 16 << 20;

// There may be none yet; and a disk that is broken is no reason to end traffic.
void Empty(const std::string& log) {
  std::error_code ignored;
  std::filesystem::resize_file(log, 0, ignored);
}

// What a HAProxy of that shape has.
void SetBackends(const ConfigShape& shape, HaproxyView& view) {
  view.pool.clear();
  view.tcp.clear();
  for (std::size_t i = 0; i < shape.backends; ++i) view.pool.push_back(PoolBackendName(i));
  for (std::uint32_t port = shape.tcp.from; shape.tcp.Has(port); ++port) view.tcp.push_back(TcpBackendName(port));
  std::sort(view.pool.begin(), view.pool.end());
}

}  // namespace

HaproxySupervisor::HaproxySupervisor(SpawnOptions options, OldWorkers& old_workers, Log& log)
    : options_(std::move(options)), files_(options_.dir), old_workers_(old_workers), log_(log),
      master_socket_(files_.master), backoff_(milliseconds(200), milliseconds(5000)) {}

bool HaproxySupervisor::Adopt() {
  const Result<MasterView> view = master_socket_.Look();
  if (!view) return false;
  master_ = Process::Open(view->master);
  if (!master_) return false;
  RememberWorkers(*view);
  std::ifstream config(files_.config);
  std::string first_line;
  std::getline(config, first_line);
  shape_outdated_ = !ShapeFits(first_line, options_.shape);
  state_ = State::kUp;
  log_.Info("haproxy_found", {{"pid", view->master}, {"worker", view->worker}, {"other_shape", shape_outdated_}});
  return true;
}

void HaproxySupervisor::Start(const RouteTable& table, Time now) {
  DisownWorkers();
  options_.shape.backends = std::max(options_.shape.backends, table.HttpRouteCount());
  HaproxyView empty;
  SetBackends(options_.shape, empty);
  shape_outdated_ = false;
  started_at_ = now;
  deadline_ = now + kStartLimit;
  state_ = State::kDown;
  start_at_ = now + backoff_.Next();
  if (const Status written = WriteFiles(table, AssignBackends(table, empty)); !written) {
    log_.Error("haproxy_not_started", {{"error", written.error().message}});
    return;
  }
  Empty(files_.log);
  Result<Process> master =
      SpawnInBackground({options_.haproxy, "-W", "-S", files_.master + ",mode,600", "-f", files_.config}, files_.log);
  if (!master) {
    log_.Error("haproxy_not_started", {{"error", master.error().message}});
    return;
  }
  master_ = std::move(*master);
  state_ = State::kStarting;
  log_.Info("haproxy_started", {{"pid", master_->pid()},
                                {"backends", options_.shape.backends},
                                {"routes", table.routes().size()},
                                {"endpoints", table.EndpointCount()}});
}

void HaproxySupervisor::Reload(const RouteTable& table, const HaproxyView& view, std::size_t backends_wanted,
                               Time now) {
  std::size_t backends = std::max(options_.shape.backends, view.pool.size());
  while (backends < backends_wanted) backends *= 2;
  options_.shape.backends = backends;
  HaproxyView grown = view;
  SetBackends(options_.shape, grown);
  reload_at_ = now + kReloadAgainAfter;
  // Backends with leftovers are empty in the new worker: any may be taken.
  if (const Status written = WriteFiles(table, AssignBackends(table, grown)); !written) {
    return FailReload(now, written.error().message);
  }
  const Result<MasterView> before = master_socket_.Look();
  if (!before) return FailReload(now, before.error().message);
  worker_before_reload_ = before->worker;
  failed_before_reload_ = before->failed_reloads;
  if (const Status asked = master_socket_.Reload(); !asked) return FailReload(now, asked.error().message);
  log_.Info("haproxy_reloading",
            {{"backends", backends}, {"before", view.pool.size()}, {"routes", table.routes().size()}});
  state_ = State::kReloading;
  deadline_ = now + kReloadLimit;
}

void HaproxySupervisor::Stop(Time now, milliseconds limit) {
  if (state_ == State::kDown || !master_) {
    state_ = State::kStopped;
    return;
  }
  log_.Info("haproxy_stopping", {{"limit_ms", static_cast<std::int64_t>(limit.count())}});
  if (const Result<MasterView> view = master_socket_.Look()) RememberWorkers(*view);
  const std::string last = "add map " + files_.flags + " " + kFinalFlag + " 1";
  for (const Process& worker : workers_) {
    const auto told = HaproxySocket(files_.master, worker.pid()).Run({last});
    if (!told) log_.Debug("haproxy_not_reached", {{"worker", worker.pid()}, {"error", told.error().message}});
  }
  master_->Signal(SIGUSR1);
  state_ = State::kStopping;
  deadline_ = now + limit;
}

HaproxySupervisor::State HaproxySupervisor::Poll(Time now) {
  if (master_ && !master_->Running()) HandleDeath(now);
  if (state_ == State::kStarting) PollStart(now);
  if (state_ == State::kReloading) PollReload(now);
  if (state_ == State::kStopping) PollStop(now);
  return state_;
}

void HaproxySupervisor::TrimLog() const {
  struct stat log {};
  if (stat(files_.log.c_str(), &log) == 0 && log.st_size > kLogBytesMax) Empty(files_.log);
}

Status HaproxySupervisor::WriteFiles(const RouteTable& table, const BackendAssignment& assignment) const {
  const std::pair<const std::string&, std::string> files[] = {
      {files_.config, MakeConfig(options_.shape, files_, table, assignment)},
      {files_.map, MakeMap(assignment)},
      {files_.flags, ""},
  };
  for (const auto& [path, text] : files) {
    if (const Status written = WriteWholeFile(path, text); !written) return written;
  }
  return Done{};
}

void HaproxySupervisor::RememberWorkers(const MasterView& view) {
  std::vector<int> pids = view.old_workers;
  if (view.worker != 0) pids.push_back(view.worker);
  std::vector<Process> workers;
  for (const int pid : pids) {
    if (std::optional<Process> worker = Process::Open(pid)) workers.push_back(std::move(*worker));
  }
  workers_ = std::move(workers);
}

// Workers that outlive their master take connections for up to 2 s more, with a table that nobody can change: they are
// told to stop, and nothing counts as drained before they have ended.
void HaproxySupervisor::DisownWorkers() {
  const auto answers = HaproxySocket(files_.socket).Run({"show info"});  // one of an earlier life of ours
  const auto pid = answers ? InfoNumber((*answers)[0], "Pid") : 0;
  if (pid > 0) {
    if (auto worker = Process::Open(static_cast<int>(pid)); worker && worker->ProgramName() == "haproxy") {
      workers_.push_back(std::move(*worker));
    }
  }
  for (Process& worker : workers_) {
    if (!worker.Running()) continue;
    log_.Warn("haproxy_worker_without_master", {{"pid", worker.pid()}});
    worker.Signal(SIGUSR1);
    old_workers_.AddOrphan(std::move(worker));
  }
  workers_.clear();
}

void HaproxySupervisor::HandleDeath(Time now) {
  master_->WaitForEnd(std::chrono::milliseconds(0));  // it has
  const std::string how = DescribeEnd(master_->exit_status());
  master_.reset();
  if (state_ == State::kStopping) {
    log_.Info("haproxy_stopped", {{"how", how}});
    state_ = State::kStopped;
    return;
  }
  log_.Error("haproxy_died",
             {{"how", how}, {"while_starting", state_ == State::kStarting}, {"its_last_words", Tail(files_.log, 600)}});
  state_ = State::kDown;
  if (now - started_at_ >= kRanWell) {
    backoff_.Reset();
    start_at_ = now;
  } else {
    start_at_ = std::max(start_at_, now);
  }
}

void HaproxySupervisor::PollStart(Time now) {
  const Result<MasterView> view = master_socket_.Look();
  const auto answers = HaproxySocket(files_.socket).Run({"show info"});
  if (view && answers && view->worker != 0 && InfoNumber((*answers)[0], "Pid") == view->worker) {
    RememberWorkers(*view);
    state_ = State::kUp;
  } else if (now >= deadline_) {
    log_.Error("haproxy_does_not_answer", {{"its_last_words", Tail(files_.log, 600)}});
    master_->Signal(SIGKILL);  // its end is noticed, and it is restarted
  }
}

void HaproxySupervisor::PollReload(Time now) {
  const Result<MasterView> view = master_socket_.Look();  // an error while the master restarts
  if (view && view->failed_reloads > failed_before_reload_) return FailReload(now, Tail(files_.log, 600));
  if (view && view->worker != 0 && view->worker != worker_before_reload_) {
    const Result<bool> stopping = master_socket_.IsStopping(worker_before_reload_);
    if (stopping && *stopping) {
      RememberWorkers(*view);
      shape_outdated_ = false;
      reload_at_ = now;
      state_ = State::kUp;
      log_.Info("haproxy_reloaded", {{"worker", view->worker}, {"old_workers", view->old_workers.size()}});
      return;
    }
  }
  if (now >= deadline_) FailReload(now, "no new worker within the deadline");
}

void HaproxySupervisor::FailReload(Time now, const std::string& why) {
  log_.Error("haproxy_reload_failed", {{"error", why}});
  reload_at_ = now + kReloadAgainAfter;
  shape_outdated_ = false;
  state_ = State::kUp;
}

void HaproxySupervisor::PollStop(Time now) {
  if (now >= deadline_ + kKillAfter) {
    log_.Error("haproxy_killed");
    for (const Process& worker : workers_) worker.Signal(SIGKILL);
    master_->Signal(SIGKILL);
    return;
  }
  // Kept-alive connections that idle would hold it up to the end of their timeout.
  idle_readings_ = RequestsInFlight() ? 0 : idle_readings_ + 1;
  if (idle_readings_ < kIdleReadingsWanted && now < deadline_) return;
  if (now >= deadline_) log_.Warn("haproxy_stop_limit_passed");
  master_->Signal(SIGTERM);
}

bool HaproxySupervisor::RequestsInFlight() const {
  for (const Process& worker : workers_) {
    const auto answers = HaproxySocket(files_.master, worker.pid()).Run({"show stat -1 4 -1", "show servers conn"});
    if (!answers) continue;  // it has ended
    const Result<ServerSessions> sessions = ParseSessions(*answers);
    if (!sessions) return true;
    if (std::any_of(sessions->begin(), sessions->end(), [](const auto& entry) { return entry.second > 0; }))
      return true;
  }
  return false;
}

std::string Tail(const std::string& path, std::size_t bytes) {
  std::ifstream file(path, std::ios::ate | std::ios::binary);
  if (!file) return "";
  const auto size = static_cast<std::size_t>(file.tellg());
  const std::size_t wanted = std::min(size, bytes);
  file.seekg(static_cast<std::streamoff>(size - wanted));
  std::string text(wanted, '\0');
  file.read(text.data(), static_cast<std::streamsize>(wanted));
  return text;
}

}  // namespace baton::router
