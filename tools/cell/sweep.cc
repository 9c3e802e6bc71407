#include "tools/cell/sweep.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <set>

namespace baton {
namespace {

constexpr std::chrono::milliseconds kLookAgain{20};

}  // namespace

std::vector<ProcessStat> ProcessesOfInstance(const std::string& instance_guid, const ShimState& state) {
  const std::vector<ProcessStat> all = AllProcesses();
  const std::string mark = std::string(kInstanceMark) + "=" + instance_guid;
  std::set<pid_t> leaders;
  if (state.boot_id == BootId()) {
    for (const ActionProcess& process : state.processes) {
      if (Lives(process.identity)) leaders.insert(process.identity.pid);
    }
  }
  std::set<pid_t> found;
  for (const ProcessStat& process : all) {
    const bool led = leaders.contains(process.group) || leaders.contains(process.session);
    if (led || WasStartedWith(process.identity.pid, mark)) found.insert(process.identity.pid);
  }
  for (const pid_t pid : std::set<pid_t>(found)) {
    for (const ProcessStat& below : Descendants(pid, all)) found.insert(below.identity.pid);
  }
  std::vector<ProcessStat> processes;
  for (const ProcessStat& process : all) {
    const pid_t pid = process.identity.pid;
    if (found.contains(pid) && !process.dead() && pid != getpid() && pid != 1) processes.push_back(process);
  }
  return processes;
}

void SweepInstance(EventLoop& loop, const std::string& instance_guid, const ShimState& state,
                   std::function<void()> done) {
  const std::vector<ProcessStat> left = ProcessesOfInstance(instance_guid, state);
  if (left.empty()) return done();
  for (const ProcessStat& process : left) kill(process.identity.pid, SIGKILL);
  // They are init's children, not ours: nobody tells us their end.
  loop.After(kLookAgain, [&loop, instance_guid, state, done = std::move(done)] {
    SweepInstance(loop, instance_guid, state, done);
  });
}

}  // namespace baton
