// Short-lived programs that the cell starts, and their ends: shims on their way into independence, monitor runs.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "tools/shim/event_loop.h"
#include "tools/system/spawn.h"

namespace baton::cell {

class Programs {
 public:
  using OnExit = std::function<void(int exit_status)>;

  explicit Programs(shim::EventLoop& loop) : loop_(loop) {}
  // What still runs is left alone.
  ~Programs();

  // The first argument is the program's path. `on_exit` runs in the loop.
  Result<pid_t> Start(const std::vector<std::string>& arguments, OnExit on_exit);
  // SIGKILL; its end is reported as any other.
  void Kill(pid_t pid);

 private:
  struct Program {
    Process process;
    OnExit on_exit;
  };
  void Ended(pid_t pid);

  shim::EventLoop& loop_;
  std::map<pid_t, Program> running_;
};

}  // namespace baton::cell
