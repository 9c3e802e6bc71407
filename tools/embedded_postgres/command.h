// Runs a program to its end, as another user if need be, and keeps what it printed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "tools/system/spawn.h"

namespace baton {

struct CommandResult {
  int exit_status = 0;  // exit code, or 128 + signal
  std::string output;   // stdout and stderr together
};

// INTERNAL where it cannot be started at all.
Result<CommandResult> RunCommand(const std::vector<std::string>& arguments, const std::optional<UnixUser>& user);

}  // namespace baton
