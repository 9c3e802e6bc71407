#include "tests/e2e/processes.h"

#include <algorithm>
#include <filesystem>

#include "tools/shim/atomic_file.h"
#include "tools/shim/process_table.h"

namespace baton {

std::map<pid_t, std::string> ProcessesIn(const std::string& dir) {
  std::map<pid_t, std::string> found;
  for (const shim::ProcessStat& process : shim::AllProcesses()) {
    const std::string proc = "/proc/" + std::to_string(process.identity.pid);
    std::error_code gone;
    const std::string works_in = std::filesystem::read_symlink(proc + "/cwd", gone);
    std::string command = shim::ReadWholeFile(proc + "/cmdline").value_or("");
    if (command.empty()) continue;  // it is about to be gone, and has let go of its memory already
    std::ranges::replace(command, '\0', ' ');
    if (works_in.starts_with(dir) || command.find(dir) != command.npos) found[process.identity.pid] = command;
  }
  return found;
}

std::vector<std::string> ProcessesOf(const std::string& dir) {
  std::vector<std::string> commands;
  for (const auto& [pid, command] : ProcessesIn(dir)) commands.push_back(command);
  return commands;
}

}  // namespace baton
