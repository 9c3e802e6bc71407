#include "tools/shim/process_table.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <sstream>

#include "tools/shim/atomic_file.h"

namespace baton::shim {
namespace {

std::string ProcFile(pid_t pid, std::string_view name) {
  return "/proc/" + std::to_string(pid) + "/" + std::string(name);
}

}  // namespace

std::optional<ProcessStat> ParseStat(std::string_view text) {
  // The second field is the program's name in brackets, and may itself hold spaces and brackets.
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  ProcessStat stat;
  std::from_chars(text.data(), text.data() + open, stat.identity.pid);
  std::istringstream fields{std::string(text.substr(close + 1))};
  fields >> stat.state >> stat.parent >> stat.group >> stat.session;
  std::string skipped;
  for (int field = 7; field < 14; ++field) fields >> skipped;
  std::uint64_t user = 0, system = 0, children_user = 0, children_system = 0;
  fields >> user >> system >> children_user >> children_system;
  for (int field = 18; field < 22; ++field) fields >> skipped;
  fields >> stat.identity.start_ticks;
  if (!fields || stat.identity.pid <= 0) return std::nullopt;
  static const auto ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  stat.cpu_seconds = static_cast<double>(user + system) / ticks_per_second;
  stat.children_cpu_seconds = static_cast<double>(children_user + children_system) / ticks_per_second;
  return stat;
}

std::optional<ProcessStat> ReadStat(pid_t pid) {
  const std::optional<std::string> text = ReadWholeFile(ProcFile(pid, "stat"));
  return text ? ParseStat(*text) : std::nullopt;
}

std::vector<ProcessStat> AllProcesses() {
  std::vector<ProcessStat> all;
  std::error_code ignored;  // a process that ends meanwhile is none
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc() || end != name.data() + name.size()) continue;
    if (const std::optional<ProcessStat> stat = ReadStat(pid)) all.push_back(*stat);
  }
  return all;
}

bool Lives(const ProcessIdentity& identity) {
  if (identity.pid <= 0) return false;
  const std::optional<ProcessStat> stat = ReadStat(identity.pid);
  return stat && stat->identity == identity && !stat->dead();
}

std::vector<ProcessStat> Descendants(pid_t ancestor, const std::vector<ProcessStat>& processes) {
  std::vector<ProcessStat> found;
  std::set<pid_t> family{ancestor};
  for (bool grew = true; grew;) {
    grew = false;
    for (const ProcessStat& stat : processes) {
      if (!family.contains(stat.parent) || !family.insert(stat.identity.pid).second) continue;
      found.push_back(stat);
      grew = true;
    }
  }
  return found;
}

bool WasStartedWith(pid_t pid, std::string_view assignment) {
  const std::optional<std::string> environment = ReadWholeFile(ProcFile(pid, "environ"));
  if (!environment) return false;
  std::string_view rest = *environment;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    if (rest.substr(0, end) == assignment) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

std::string BootId() {
  std::string id = ReadWholeFile("/proc/sys/kernel/random/boot_id").value_or("");
  while (!id.empty() && id.back() == '\n') id.pop_back();
  return id;
}

}  // namespace baton::shim
