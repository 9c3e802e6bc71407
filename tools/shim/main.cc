// baton-shim: runs one instance's actions and outlives the cell that started it. Started by baton-cell only.
//
//   baton-shim DIR         leaves its caller, takes the directory's lock and runs the instance
//   baton-shim --once DIR  runs the instance's monitor action once; 0: healthy
//
// Exit codes of the first form: 0 the instance is under way, 3 another shim has it, 4 it was declared dead before.
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "orchestrator/base/check.h"
#include "tools/shim/daemon.h"
#include "tools/shim/exit_codes.h"
#include "tools/shim/instance.h"
#include "tools/shim/steps/child_spec.h"
#include "tools/shim/steps/monitor.h"
#include "tools/system/keep_private.h"

namespace {

using namespace baton;

void IgnoreSignals() {
  for (const int signal : {SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGUSR1, SIGUSR2}) std::signal(signal, SIG_IGN);
}

// From here on SIGTERM waits until it is read.
UniqueFd BlockTerminate() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  CHECK(sigprocmask(SIG_BLOCK, &set, nullptr) == 0);
  return UniqueFd(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

void RunInstance(const shim::InstanceDir& dir, const shim::Tell& tell) {
  IgnoreSignals();
  const UniqueFd terminate = BlockTerminate();
  const UniqueFd lock = shim::TryLock(dir.Lock());
  if (!lock.valid()) return tell(shim::kShimOtherHasIt);
  // The cell writes a last state, holding the lock, for what it gives up.
  if (shim::ReadState(dir)) return tell(shim::kShimTooLate);
  CHECK(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
  shim::EventLoop loop;
  shim::Instance instance(loop, dir, [&loop] { loop.Stop(); });
  loop.Watch(terminate.get(), [&] {
    signalfd_siginfo info;
    while (read(terminate.get(), &info, sizeof info) > 0) {
    }
    instance.Stop();
  });
  loop.Post([&] {
    instance.Start();
    tell(shim::kShimUp);
  });
  loop.Run();
}

int RunMonitor(const shim::InstanceDir& dir) {
  shim::DieWithParent(getppid());
  close_range(3, ~0U, 0);  // nothing of the cell's
  IgnoreSignals();
  CHECK(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
  shim::EventLoop loop;
  return shim::RunMonitorOnce(loop, dir);
}

}  // namespace

int main(int argc, char** argv) {
  KeepMemoryPrivate();
  const bool once = argc == 3 && std::strcmp(argv[1], "--once") == 0;
  if (argc != 2 && !once) {
    std::fprintf(stderr, "usage: baton-shim [--once] INSTANCE_DIR\n(baton-cell starts it)\n");
    return shim::kShimUsage;
  }
  const shim::InstanceDir dir{std::filesystem::absolute(argv[argc - 1])};
  if (once) return RunMonitor(dir);
  return shim::Detach(dir.ShimLog(), [&dir](const shim::Tell& tell) { RunInstance(dir, tell); });
}
