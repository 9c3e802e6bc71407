#include "tools/stack/leftovers.h"

#include <csignal>
#include <filesystem>
#include <vector>

#include "tools/cell/instances/record.h"
#include "tools/cell/instances/sweep.h"
#include "tools/embedded_postgres/embedded_postgres.h"
#include "tools/router/haproxy/haproxy_config.h"
#include "tools/router/haproxy/haproxy_master.h"
#include "tools/shim/process_table.h"
#include "tools/stack/wait_for.h"

namespace baton::stack {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kGoneTimeout{10};

void KillAll(const std::vector<pid_t>& pids) {
  for (const pid_t pid : pids) {
    if (pid > 1) kill(pid, SIGKILL);
  }
}

std::vector<pid_t> PostgresProcesses(const std::string& postgres_dir) {
  std::vector<pid_t> found;
  for (const shim::ProcessStat& process : shim::AllProcesses()) {
    std::error_code unreadable;
    const fs::path works_in = fs::read_symlink("/proc/" + std::to_string(process.identity.pid) + "/cwd", unreadable);
    if (!process.dead() && works_in == postgres_dir + "/data") found.push_back(process.identity.pid);
  }
  return found;
}

}  // namespace

void EndInstances(const std::string& cell_dir) {
  for (const cell::FoundInstance& found : cell::FindInstances(cell_dir)) {
    WaitFor(kGoneTimeout, {}, [&] {
      const shim::ShimState state = shim::ReadState(found.dir).value_or(shim::ShimState{});
      if (shim::Lives(state.shim)) kill(state.shim.pid, SIGKILL);
      std::vector<pid_t> pids;
      const std::string cgroup = shim::ReadLaunch(found.dir).value_or(shim::Launch()).cgroup;
      for (const shim::ProcessStat& process : cell::ProcessesOfInstance({found.record.instance_guid, state, cgroup})) {
        pids.push_back(process.identity.pid);
      }
      KillAll(pids);
      return pids.empty() && !shim::IsLocked(found.dir.Lock());
    });
  }
}

void EndHaproxy(const std::string& router_dir) {
  const router::HaproxyMaster socket(router::HaproxyFiles(router_dir).master);
  WaitFor(kGoneTimeout, {}, [&] {
    const Result<router::MasterView> view = socket.Look();
    if (!view) return true;
    // The workers first: a killed master can no longer list them.
    KillAll({view->old_workers.begin(), view->old_workers.end()});
    KillAll({view->worker, view->master});
    return false;
  });
}

void EndPostgres(const std::string& postgres_dir) {
  if (fs::exists(postgres_dir + "/data/postmaster.pid")) {
    const auto postgres = EmbeddedPostgres::Start({.dir = postgres_dir});
    const Status stopped = postgres ? (*postgres)->Stop() : Status(postgres.error());
    if (!stopped) return KillPostgresProcesses(postgres_dir);
  }
  // Whoever stops it waits for the end of its file, which is a moment before that of the process.
  WaitFor(kGoneTimeout, {}, [&] { return PostgresProcesses(postgres_dir).empty(); });
}

void SignalPostgresProcesses(const std::string& postgres_dir, int signal) {
  for (const pid_t pid : PostgresProcesses(postgres_dir)) {
    if (pid > 1) kill(pid, signal);
  }
}

void KillPostgresProcesses(const std::string& postgres_dir) {
  WaitFor(kGoneTimeout, {}, [&] {
    const std::vector<pid_t> pids = PostgresProcesses(postgres_dir);
    KillAll(pids);
    return pids.empty();
  });
}

}  // namespace baton::stack
