// A program as a child process, for tests: watched through what it writes to stdout.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/system/spawn.h"

namespace baton::examples {

class ChildProcess {
 public:
  struct Start {
    std::string program;
    std::vector<std::string> arguments = {};
    // Nothing else is in its environment.
    std::map<std::string, std::string> environment = {};
  };

  explicit ChildProcess(const Start& start);
  // Kills it if it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return process_->pid(); }
  void Signal(int signal);

  // Its exit code, or -signal; nothing if it still runs after `timeout`.
  std::optional<int> WaitForEnd(std::chrono::milliseconds timeout = std::chrono::seconds(10));
  // What it wrote so far; all of it once it has ended.
  const std::string& Output();
  // Waits for its first line; empty if it ended, or 10 s passed, without one.
  std::string FirstLine();

 private:
  // Waits at most `timeout` for more output; false: none came, or there will be none.
  bool ReadMore(std::chrono::milliseconds timeout);

  std::optional<Process> process_;  // set from its start on
  UniqueFd output_fd_;
  std::string output_;
};

}  // namespace baton::examples
