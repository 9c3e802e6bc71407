// A HAProxy that baton-router runs itself: starts it with the route table in its configuration, finds one of an earlier
// life, reloads it to grow the pool, restarts it when it dies, and stops it without breaking requests in flight.
// Never blocks: Poll moves it on.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/ports/log.h"
#include "tools/client/backoff.h"
#include "tools/router/haproxy/haproxy_config.h"
#include "tools/router/haproxy/haproxy_master.h"
#include "tools/router/haproxy/old_workers.h"
#include "tools/system/spawn.h"

namespace baton::router {

struct SpawnOptions {
  std::string haproxy;  // the program
  std::string dir;
  ConfigShape shape;
};

class HaproxySupervisor {
 public:
  using Time = std::chrono::steady_clock::time_point;
  enum class State {
    kDown,      // not running; may be started when MayStart says so
    kStarting,  // not answering yet
    kUp,
    kReloading,  // between two workers: leave it alone
    kStopping,   // for good
    kStopped,
  };

  HaproxySupervisor(SpawnOptions options, OldWorkers& old_workers, Log& log);

  // Takes over a HAProxy that runs in the folder. False if there is none.
  bool Adopt();
  bool MayStart(Time now) const { return state_ == State::kDown && now >= start_at_; }
  void Start(const RouteTable& table, Time now);

  // Whether a reload may help: to grow the pool, or because the one found has another shape.
  bool MayReload(Time now) const { return state_ == State::kUp && now >= reload_at_; }
  bool NeedsReload() const { return shape_outdated_; }
  // `backends_wanted`: what the pool must hold at least.
  void Reload(const RouteTable& table, const HaproxyView& view, std::size_t backends_wanted, Time now);

  // Soft-stop: no new connections, requests in flight finish, until `limit`.
  void Stop(Time now, std::chrono::milliseconds limit);

  State Poll(Time now);
  // HAProxy writes a line or two for each server that comes and goes; its log is emptied when it has grown large.
  void TrimLog() const;
  State state() const { return state_; }
  int exit_fd() const { return master_ ? master_->fd() : -1; }  // readable when HAProxy has died

 private:
  Status WriteFiles(const RouteTable& table, const BackendAssignment& assignment) const;
  void RememberWorkers(const MasterView& view);
  void DisownWorkers();
  void HandleDeath(Time now);
  void PollStart(Time now);
  void PollReload(Time now);
  void PollStop(Time now);
  bool RequestsInFlight() const;
  void FailReload(Time now, const std::string& why);

  SpawnOptions options_;
  HaproxyFiles files_;
  OldWorkers& old_workers_;
  Log& log_;
  HaproxyMaster master_socket_;

  State state_ = State::kDown;
  std::optional<Process> master_;
  std::vector<Process> workers_;  // all, as last seen: whom the master leaves behind when it is killed
  Backoff backoff_;
  Time start_at_{};
  Time started_at_{};
  Time reload_at_{};
  Time deadline_{};
  int worker_before_reload_ = 0;
  int failed_before_reload_ = 0;
  bool shape_outdated_ = false;
  int idle_readings_ = 0;
};

// The last lines of a file, for the log.
std::string Tail(const std::string& path, std::size_t bytes);

}  // namespace baton::router
