// The machine's processes as /proc lists them. A pid is reused: only pid and start time identify a process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::shim {

struct ProcessIdentity {
  pid_t pid = 0;
  std::uint64_t start_ticks = 0;  // since boot; meaningless after a reboot

  bool operator==(const ProcessIdentity&) const = default;
};

struct ProcessStat {
  ProcessIdentity identity;
  char state = '?';  // as in ps: R, S, D, Z, ...
  pid_t parent = 0;
  pid_t group = 0;
  pid_t session = 0;
  double cpu_seconds = 0;           // of user and system
  double children_cpu_seconds = 0;  // of children that it waited for

  bool dead() const { return state == 'Z' || state == 'X'; }
};

// The text of /proc/PID/stat; nothing if it is none.
std::optional<ProcessStat> ParseStat(std::string_view text);
std::optional<ProcessStat> ReadStat(pid_t pid);
std::vector<ProcessStat> AllProcesses();

// It runs, and it is still the one that was meant.
bool Lives(const ProcessIdentity& identity);

// Everything below `ancestor` in `processes`, zombies too.
std::vector<ProcessStat> Descendants(pid_t ancestor, const std::vector<ProcessStat>& processes);

// Whether the process was started with exactly this "NAME=value" in its environment. False where we may not look.
bool WasStartedWith(pid_t pid, std::string_view assignment);

// Differs after each boot of the machine.
std::string BootId();

}  // namespace baton::shim
