// What a process of an action is started with, and the starting itself.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/base/unique_fd.h"

namespace baton::shim {

struct ChildSpec {
  // Either a program: with a slash a path, else looked for in the PATH of `environment`...
  std::string path;
  std::vector<std::string> arguments;
  // ...or our own code, in a process of its own so that it can be killed like any other. It returns the exit code.
  std::function<int()> code;

  std::string dir;
  std::vector<std::string> environment;  // "NAME=value"
  std::optional<std::uint64_t> open_files_max;
  std::string user;    // empty: our own
  std::string cgroup;  // directory; empty: ours
  bool discard_output = false;
};

struct SpawnedChild {
  pid_t pid = 0;
  UniqueFd output;  // both its stdout and stderr, non-blocking; invalid if discarded
};

// RESOURCE_EXHAUSTED: the machine has not what it takes (processes, files, memory, the user); other errors are the spec's own.
// The child leads a new session, dies with this process, and has nothing of ours open. The caller must be
// single-threaded: `code` runs after a mere fork.
Result<SpawnedChild> SpawnChild(const ChildSpec& spec);

// This process is killed when `parent` dies, and at once if it did. A change of user undoes it.
void DieWithParent(pid_t parent);

// Exit code, or -signal.
int ExitStatus(int wait_status);
// "exited with status 3", "was killed by signal 9 (SIGKILL)".
std::string DescribeExit(int exit_status);

}  // namespace baton::shim
