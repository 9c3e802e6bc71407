// A child process in a session of its own: a terminal's Ctrl-C does not reach it; its parent ends it in order. If the
// parent is killed, the kernel sends the child SIGTERM. Its output goes to a file.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/system/spawn.h"

namespace baton::stack {

class Program {
 public:
  struct Start {
    std::string name;                  // for people
    std::vector<std::string> command;  // the program's path first
    std::string log;                   // it writes to the end of this file
    std::vector<std::string> environment = {};  // "NAME=VALUE", beside what this process has
  };

  // Told of each program that has ended: what it wrote is in `start.log`, from byte `log_begins` on.
  using Ended = std::function<void(const Start& start, std::uintmax_t log_begins)>;
  // Replaces who was told before. To be called while no other thread starts or ends a program.
  static void OnEnd(Ended ended);

  // To be called by a thread that outlives the child: the kernel goes by the thread, not by the process.
  // Throws StackError where it cannot be started.
  explicit Program(Start start);
  // Kills it if it still runs.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return process_->pid(); }
  bool Running();
  void Signal(int signal);
  // Whether it has ended within the limit.
  bool WaitForEnd(std::chrono::milliseconds limit);
  // SIGKILL, and waits.
  void Kill();
  // Of one that has ended: exit code, or -signal.
  std::optional<int> exit_status() const { return process_->exit_status(); }
  // "batond ended with exit status 1", then where its log is and how it ends. For errors.
  std::string Describe(const std::string& what) const;

 private:
  Start start_;
  std::uintmax_t log_begins_ = 0;
  std::optional<Process> process_;  // set from its start on
};

// The last lines of a file; empty if it cannot be read.
std::string LastLines(const std::string& path, std::size_t count);

}  // namespace baton::stack
