// Starts, reads, signals and reaps the processes of an instance. This process is their subreaper, so orphans become its
// children too. The instance has ended when no child is left.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/shim/event_loop.h"
#include "tools/shim/instance_dir.h"
#include "tools/shim/output_log.h"
#include "tools/shim/steps/child_spec.h"

namespace baton::shim {

class Children {
 public:
  using OnExit = std::function<void(int exit_status)>;

  // `changed` runs after each start and end of an action's process.
  Children(EventLoop& loop, OutputLog& log, std::function<void()> changed);
  ~Children();

  // `on_exit` runs in the loop, after what it wrote so far has been logged. Gives the pid.
  Result<pid_t> Start(const ChildSpec& spec, const std::string& label, OnExit on_exit);
  // To the process's whole group. Nothing happens if it ended.
  void SignalGroup(pid_t leader, int signal);

  std::vector<ActionProcess> running() const;
  bool started_any() const { return !groups_.empty(); }

  // Kills what is left and runs `gone` when no child, adopted ones included, exists and all output is read. Members of
  // the process groups that were started here may end by themselves until `patience`.
  void EndAll(EventLoop::Time patience, std::function<void()> gone);

 private:
  struct Child {
    ActionProcess process;
    OnExit on_exit;
    int output = -1;  // key of outputs_
  };
  struct Output {
    UniqueFd fd;
    std::string unfinished_line;
  };

  void Reap();
  void ReadOutput(int fd);
  void CloseOutput(int fd);
  void KillLeftovers();
  void FinishIfEmpty();

  EventLoop& loop_;
  OutputLog& log_;
  std::function<void()> changed_;
  UniqueFd signals_;
  std::map<pid_t, Child> children_;
  std::map<int, Output> outputs_;
  std::vector<pid_t> groups_;  // ever started here

  bool nobody_left_ = true;
  EventLoop::Time patience_{};
  EventLoop::TimerId kill_timer_ = 0;
  std::function<void()> gone_;
};

}  // namespace baton::shim
