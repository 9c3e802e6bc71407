#include "tools/cell/machine/cgroups.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "orchestrator/base/unique_fd.h"
#include "tools/cell/machine/cgroup2.h"
#include "tools/shim/atomic_file.h"

namespace baton::cell {
namespace {

// A cell of its own in the cgroup of its service, beside those of its instances.
constexpr const char* kOwnLeaf = "baton-cell";

bool Has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Which we are in; empty: none of cgroup v2.
std::string OwnCgroup() {
  const std::string mounted = Cgroup2Mount();
  std::istringstream own(shim::ReadWholeFile("/proc/self/cgroup").value_or(""));
  for (std::string line; std::getline(own, line);) {
    if (!mounted.empty() && line.starts_with("0::")) return mounted + line.substr(3);
  }
  return "";
}

// Whether a child of ours can join a cgroup that we make below `parent`: the kernel may refuse that although all files are ours.
bool CanBeJoined(const std::string& parent) {
  const std::string path = parent + "/baton-probe-" + std::to_string(getpid());
  if (mkdir(path.c_str(), 0755) != 0) return false;
  const UniqueFd list(open((path + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
  const pid_t child = fork();
  if (child == 0) _exit(write(list.get(), "0", 1) == 1 ? 0 : 1);
  int status = 1;
  const bool joined = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  rmdir(path.c_str());
  return joined;
}

// With those below it, which the app may have made where it is of our user.
bool RemoveTree(const std::string& path) {
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(path, gone)) {
    if (entry.is_directory(gone) && !entry.is_symlink(gone)) RemoveTree(entry.path());
  }
  return rmdir(path.c_str()) == 0 || errno == ENOENT;
}

}  // namespace

Cgroups Cgroups::Below(const std::string& parent) {
  Cgroups cgroups;
  const std::vector<std::string> offered = CgroupWords(parent + "/cgroup.controllers");
  for (const char* controller : {"memory", "pids"}) {
    if (Has(offered, controller)) WriteCgroupValue(parent + "/cgroup.subtree_control", std::string("+") + controller);
  }
  const std::vector<std::string> given = CgroupWords(parent + "/cgroup.subtree_control");
  for (const char* controller : {"memory", "pids"}) {
    if (Has(given, controller)) cgroups.enforces_.push_back(controller);
  }
  if (!cgroups.enforces_.empty() || CanBeJoined(parent)) cgroups.parent_ = parent;
  return cgroups;
}

Cgroups Cgroups::BelowOwn() {
  const std::string own = OwnCgroup();
  if (own.empty()) return {};
  Cgroups limits = WithLimits(own);
  return limits.enforces_.empty() ? WithoutLimits(own) : limits;
}

Cgroups Cgroups::WithoutLimits(const std::string& own) {
  const std::string parent = own + "/baton-instances";
  if (mkdir(parent.c_str(), 0755) != 0 && errno != EEXIST) return {};
  Cgroups cgroups;
  if (CanBeJoined(parent)) cgroups.parent_ = parent;
  return cgroups;
}

Cgroups Cgroups::WithLimits(const std::string& own) {
  if (CgroupWords(own + "/cgroup.controllers").empty()) return {};
  // A cgroup with processes of its own cannot give controllers to those below.
  const std::string leaf = own + "/" + kOwnLeaf;
  if (mkdir(leaf.c_str(), 0755) != 0 && errno != EEXIST) return {};
  if (!WriteCgroupValue(leaf + "/cgroup.procs", std::to_string(getpid()))) return {};
  const Cgroups cgroups = Below(own);
  if (cgroups.enforces_.empty()) {
    WriteCgroupValue(own + "/cgroup.procs", std::to_string(getpid()));
    rmdir(leaf.c_str());
  }
  return cgroups;
}

Result<std::string> Cgroups::Make(const std::string& name, const Resources& resources) const {
  if (parent_.empty()) return std::string();
  const std::string path = parent_ + "/" + name;
  const auto limit = [&](const char* controller, const std::string& file, std::int64_t value) {
    return value == 0 || !Has(enforces_, controller) || WriteCgroupValue(path + "/" + file, std::to_string(value));
  };
  const bool made = mkdir(path.c_str(), 0755) == 0 || errno == EEXIST;
  if (made && limit("memory", "memory.max", resources.memory_mb << 20) && limit("pids", "pids.max", resources.pids)) {
    return path;
  }
  return Error{ErrorKind::kInternal, "cannot make the cgroup " + path + ": " + std::strerror(errno), std::nullopt};
}

void Cgroups::Remove(const std::string& name) {
  if (parent_.empty()) return;
  leaving_.push_back(parent_ + "/" + name);
  WriteCgroupValue(leaving_.back() + "/cgroup.kill", "1");
  // What was killed is in it until it is dead.
  std::erase_if(leaving_, RemoveTree);
}

std::int64_t Cgroups::MemoryInUse() const {
  if (parent_.empty()) return 0;
  std::int64_t sum = 0;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(parent_, gone)) {
    if (!entry.is_directory(gone) || entry.path().filename() == kOwnLeaf) continue;
    std::int64_t bytes = 0;
    std::istringstream file(shim::ReadWholeFile(entry.path() / "memory.current").value_or(""));
    if (file >> bytes) sum += bytes;
  }
  return sum;
}

}  // namespace baton::cell
