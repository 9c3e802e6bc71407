// The directory of one instance: where its files are, and the two small ones by which the cell and the shim tell each
// other what they must know. The cell writes plan and launch before the shim is there; from then on the shim alone
// writes the state.
//
//   plan.pb      baton.v1.DesiredLRPRunInfo: the actions. 0600, it holds secrets; removed when the instance has ended.
//   launch.json  what the cell adds (Launch). 0600; removed likewise.
//   lock         locked by the shim for its lifetime, by the cell while it declares an instance dead
//   state.json   what the instance is doing (ShimState), replaced by rename
//   stop         {"grace_ms": N}: how long the SIGTERM that follows lets the actions end
//   log, log.1   the last output, at most 256 KiB each
//   monitor.log  output of the last run of the monitor action
//   shim.log     what the shim itself had to say; empty as a rule
//   root/        working directory and HOME of the actions; removed when the instance has ended
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/base/unique_fd.h"
#include "tools/shim/process_table.h"

namespace baton::shim {

// Every process of an instance is started with BATON_INSTANCE=<instance guid>: so a killed shim's orphans are found.
inline constexpr char kInstanceMark[] = "BATON_INSTANCE";

struct InstanceDir {
  std::string path;  // absolute

  std::string Plan() const { return path + "/plan.pb"; }
  std::string LaunchFile() const { return path + "/launch.json"; }
  std::string Lock() const { return path + "/lock"; }
  std::string State() const { return path + "/state.json"; }
  std::string StopFile() const { return path + "/stop"; }
  std::string Log() const { return path + "/log"; }
  std::string MonitorLog() const { return path + "/monitor.log"; }
  std::string ShimLog() const { return path + "/shim.log"; }
  std::string Root() const { return path + "/root"; }
};

struct Launch {
  std::string instance_guid;
  std::int64_t grace_ms = 10'000;                  // where no stop file says otherwise
  std::string cache_dir;                           // of downloads, shared by all instances; empty: nothing is kept
  std::string download_dir;                        // file: URLs lead below it; empty: they are refused
  std::int64_t download_mb = 4096;                 // most of one download, packed and unpacked
  std::vector<std::string> download_allow;         // networks that downloads may come from beside others' machines
  std::string download_proxy;                      // of http and https downloads; empty: none
  std::string cgroup;                              // directory of a cgroup that the actions join; empty: none
  std::map<std::string, std::string> environment;  // wins over the definition's and the actions' own
};

enum class ShimPhase { kSetup, kRunning, kStopping, kExited };

struct ActionProcess {
  ProcessIdentity identity;  // leads a session and a process group of its own
  std::string label;         // for people: "run /bin/server"
  std::int64_t started_at_ms = 0;

  bool operator==(const ActionProcess&) const = default;
};

struct ShimState {
  ShimPhase phase = ShimPhase::kSetup;
  std::string boot_id;
  ProcessIdentity shim;
  std::vector<ActionProcess> processes;  // running now
  // Milliseconds since 1970; 0: not yet.
  std::int64_t started_at_ms = 0;
  std::int64_t running_at_ms = 0;
  std::int64_t ended_at_ms = 0;
  // When kExited:
  std::optional<int> exit_status;  // code, or -signal; absent: no process of it ever ran
  std::string reason;              // one sentence
  std::string failed_action;       // for people: "setup: run /bin/prepare"
  std::string last_output;         // at most 4 KiB
  bool lacks = false;              // nothing of the app ran, for want of something that the machine has not
};

std::string_view Name(ShimPhase phase);

Status WriteLaunch(const InstanceDir& dir, const Launch& launch);
std::optional<Launch> ReadLaunch(const InstanceDir& dir);
Status WriteState(const InstanceDir& dir, const ShimState& state);
std::optional<ShimState> ReadState(const InstanceDir& dir);
Status WriteStop(const InstanceDir& dir, std::int64_t grace_ms);
std::optional<std::int64_t> ReadStop(const InstanceDir& dir);

// Invalid if another process holds it, or the directory is gone. Not inherited by programs that are executed.
UniqueFd TryLock(const std::string& path);
// Asks without taking it, so that looking never keeps a shim from starting.
bool IsLocked(const std::string& path);

std::int64_t WallMillis();

}  // namespace baton::shim
