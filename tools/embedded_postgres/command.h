// Runs a program to its end, as another user if need be, and keeps what it printed.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"

namespace baton {

struct UnixUser {
  std::string name;
  uid_t uid = 0;
  gid_t gid = 0;
};

struct CommandResult {
  int exit_status = 0;  // exit code, or 128 + signal
  std::string output;   // stdout and stderr together
};

// INTERNAL where it cannot be started at all.
Result<CommandResult> RunCommand(const std::vector<std::string>& arguments, const std::optional<UnixUser>& user);

}  // namespace baton
