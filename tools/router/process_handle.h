// A process, ours or not, held by a pidfd: its end can be waited for with poll(), and a signal never hits another one
// that got its number.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/base/unique_fd.h"

namespace baton {

class ProcessHandle {
 public:
  // Nothing if there is no such process.
  static std::optional<ProcessHandle> Open(int pid);
  // Starts a program in a session of its own (a terminal's Ctrl-C is not for it), with no signal blocked and no file
  // of ours open; its output goes to the end of `log_path`.
  static Result<ProcessHandle> Spawn(const std::vector<std::string>& argv, const std::string& log_path);

  int pid() const { return pid_; }
  int fd() const { return fd_.get(); }  // readable when the process has ended
  bool Running() const;
  void Signal(int signal) const;
  // How it ended, for the log; "ended" if it is not our child. Call once, after it has.
  std::string Reap() const;
  // The program's name as the kernel has it; empty if it is gone.
  std::string ProgramName() const;

 private:
  ProcessHandle(int pid, UniqueFd fd) : pid_(pid), fd_(std::move(fd)) {}

  int pid_;
  UniqueFd fd_;
};

}  // namespace baton
