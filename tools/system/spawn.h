// Starts a program, and holds a process by a pidfd: its end can be waited for with poll(), and a signal never hits
// another process that got its number. Nothing happens to a process when its handle goes.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/base/unique_fd.h"

namespace baton {

struct UnixUser {
  std::string name;
  uid_t uid = 0;
  gid_t gid = 0;
};

// Its stdin is /dev/null, and no file of this process but stdout and stderr is open in it.
struct ProgramStart {
  std::vector<std::string> arguments = {};  // the program first, looked for in PATH where it has no slash
  // "NAME=VALUE", all that it gets; nothing: what this process has.
  std::optional<std::vector<std::string>> environment = {};
  int output = -1;                    // becomes stdout; -1: that of this process
  int errors = -1;                    // becomes stderr
  bool new_session = false;           // a terminal's Ctrl-C is not for it
  bool unblock_signals = false;       // else those that the calling thread blocks are blocked in it
  bool default_signals = false;       // else those that this process ignores are ignored in it
  std::string directory = {};         // where it works; empty: where this process does
  std::optional<UnixUser> user = {};  // of its group alone
  // Sent to it by the kernel when the calling thread ends: the kernel goes by the thread, not by the process.
  int parent_death_signal = 0;
};

class Process {
 public:
  // INTERNAL where it cannot be started, and why; the program has begun otherwise.
  static Result<Process> Spawn(const ProgramStart& start);
  // Any process; nothing if there is none of this number, or if it has ended.
  static std::optional<Process> Open(pid_t pid);

  pid_t pid() const { return pid_; }
  int fd() const { return fd_.get(); }  // readable when it has ended
  bool Running() const;
  // Nothing happens if it has ended.
  void Signal(int signal) const;
  // Whether it ended within the limit. If it is a child of this process, that is the end of the zombie, too.
  bool WaitForEnd(std::chrono::milliseconds limit);
  void WaitForEnd();
  // Of a child that was waited for: exit code, or -signal.
  std::optional<int> exit_status() const { return exit_status_; }
  // User and system time of a child that was waited for.
  std::chrono::microseconds cpu() const { return cpu_; }
  // The program's name as the kernel has it; empty if it is gone.
  std::string ProgramName() const;

 private:
  Process(pid_t pid, UniqueFd fd) : pid_(pid), fd_(std::move(fd)) {}
  void Reap(int options);  // of waitid(2)

  pid_t pid_;
  UniqueFd fd_;
  std::optional<int> exit_status_;
  std::chrono::microseconds cpu_{0};
};

// "exit status 1", "signal 9"; "ended" where it is not known.
std::string DescribeEnd(std::optional<int> exit_status);

// In a session of its own, with no signal blocked or ignored; what it writes goes to the end of a file (made with
// 0640).
Result<Process> SpawnInBackground(const std::vector<std::string>& arguments, const std::string& log_path);

struct PipeEnds {
  UniqueFd read;
  UniqueFd write;
};
// Neither end is open in a program that is started, but as its stdout or stderr. Not valid where there is none to be
// had.
PipeEnds MakePipe();

}  // namespace baton
