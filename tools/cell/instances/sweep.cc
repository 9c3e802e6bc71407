#include "tools/cell/instances/sweep.h"

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

namespace baton::cell {
namespace {

constexpr std::chrono::milliseconds kPollInterval{20};

// What a process has started stays in its cgroup, whatever it does to its environment and session. It may make cgroups below
// it, where it is of the cell's user.
void AddThoseIn(const std::string& cgroup, std::set<pid_t>& pids) {
  std::ifstream list(cgroup + "/cgroup.procs");
  // 0 is one of another pid namespace.
  for (pid_t pid = 0; list >> pid;) {
    if (pid > 1) pids.insert(pid);
  }
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(cgroup, gone)) {
    if (entry.is_directory(gone) && !entry.is_symlink(gone)) AddThoseIn(entry.path(), pids);
  }
}

}  // namespace

std::vector<shim::ProcessStat> ProcessesOfInstance(const Swept& swept) {
  const std::vector<shim::ProcessStat> all = shim::AllProcesses();
  const std::string mark = std::string(shim::kInstanceMark) + "=" + swept.instance_guid;
  const shim::ShimState& state = swept.state;
  std::set<pid_t> leaders;
  if (state.boot_id == shim::BootId()) {
    for (const shim::ActionProcess& process : state.processes) {
      if (shim::Lives(process.identity)) leaders.insert(process.identity.pid);
    }
  }
  std::set<pid_t> found;
  if (!swept.cgroup.empty()) AddThoseIn(swept.cgroup, found);
  for (const shim::ProcessStat& process : all) {
    const bool led = leaders.contains(process.group) || leaders.contains(process.session);
    if (led || shim::WasStartedWith(process.identity.pid, mark)) found.insert(process.identity.pid);
  }
  for (const pid_t pid : std::set<pid_t>(found)) {
    for (const shim::ProcessStat& below : shim::Descendants(pid, all)) found.insert(below.identity.pid);
  }
  std::vector<shim::ProcessStat> processes;
  for (const shim::ProcessStat& process : all) {
    const pid_t pid = process.identity.pid;
    if (found.contains(pid) && !process.dead() && pid != getpid() && pid != 1) processes.push_back(process);
  }
  return processes;
}

void SweepInstance(shim::EventLoop& loop, const Swept& swept, std::function<void()> done) {
  const std::vector<shim::ProcessStat> left = ProcessesOfInstance(swept);
  if (left.empty()) return done();
  for (const shim::ProcessStat& process : left) kill(process.identity.pid, SIGKILL);
  // They are init's children, not ours: this process gets no SIGCHLD for them.
  loop.After(kPollInterval, [&loop, swept, done = std::move(done)] { SweepInstance(loop, swept, done); });
}

}  // namespace baton::cell
