#include "tools/cell/machine/instance_scope.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "tools/cell/machine/cgroup2.h"
#include "tools/cell/machine/systemd_manager.h"
#include "tools/system/spawn.h"

namespace baton::cell {
namespace {

constexpr char kSlice[] = "baton.slice";

bool MayStand(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == ':' || c == '_' || c == '.' || c == '-';
}

// A scope lasts as long as it has a process, and instances come and go: this one stays, in a leaf of its own.
Result<std::string> StartScope(SystemdManager& systemd, const std::string& name, const std::string& mounted) {
  Result<Process> holder = SpawnInBackground({"/bin/sleep", "infinity"}, "/dev/null");
  if (!holder) return holder.error();
  const auto given_up = [&](const Error& error) {
    holder->Signal(SIGKILL);
    holder->WaitForEnd();
    return error;
  };
  if (const Status started = systemd.StartDelegatedScope(name, kSlice, holder->pid()); !started)
    return given_up(started.error());
  const auto group = systemd.ControlGroupOf(name);
  if (!group) return given_up(group.error());
  if (!*group) return given_up({ErrorKind::kUnavailable, "systemd started " + name + " and does not know it", {}});
  const std::string directory = mounted + **group;
  const std::string leaf = directory + "/holder";
  const bool made = mkdir(leaf.c_str(), 0755) == 0 || errno == EEXIST;
  if (made && WriteCgroupValue(leaf + "/cgroup.procs", std::to_string(holder->pid()))) return directory;
  return given_up({ErrorKind::kUnavailable, "cannot move a process to " + leaf + ": " + std::strerror(errno), {}});
}

}  // namespace

std::string ScopeName(const std::string& cell_id) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string name = "baton-instances-";
  for (const char c : cell_id) {
    const auto byte = static_cast<unsigned char>(c);
    name += MayStand(c) ? std::string(1, c) : std::string("\\x") + kHex[byte >> 4U] + kHex[byte & 15U];
  }
  return name + ".scope";
}

Result<std::string> OpenInstanceScope(const std::string& cell_id, const std::string& mounted) {
  const std::vector<std::string> offered = CgroupWords(mounted + "/cgroup.controllers");
  if (std::ranges::find(offered, "memory") == offered.end() && std::ranges::find(offered, "pids") == offered.end()) {
    return Error{ErrorKind::kUnavailable, "cgroup v2 has no controllers of memory and processes on this machine", {}};
  }
  Result<SystemdManager> systemd = SystemdManager::Connect();
  if (!systemd) return systemd.error();
  const std::string name = ScopeName(cell_id);
  // Of a former life of this cell, with the instances that go on.
  const auto group = systemd->ControlGroupOf(name);
  if (!group) return group.error();
  return *group ? Result<std::string>(mounted + **group) : StartScope(*systemd, name, mounted);
}

}  // namespace baton::cell
