// Limits of memory and processes by cgroup v2, where this process may make cgroups and gets controllers; without those a
// cgroup still holds together whatever an instance has started. Elsewhere there are none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/definition.h"

namespace baton::cell {

class Cgroups {
 public:
  // None.
  Cgroups() = default;
  // Below `parent`, a cgroup of ours alone; for limits one without processes of its own.
  static Cgroups Below(const std::string& parent);
  // Below the cgroup that this process is in. With controllers, as a service with Delegate=yes has them, it moves itself into
  // a leaf first.
  static Cgroups BelowOwn();

  // Of "memory", "pids": CellHello.enforces.
  const std::vector<std::string>& enforces() const { return enforces_; }
  // The directory; empty where there are none.
  Result<std::string> Make(const std::string& name, const Resources& resources) const;
  // Kills what is in it, too.
  void Remove(const std::string& name);
  // Of all that Make has made and that is still there, in bytes; 0 where the kernel does not count it. From any thread.
  std::int64_t MemoryInUse() const;

 private:
  static Cgroups WithLimits(const std::string& own);
  static Cgroups WithoutLimits(const std::string& own);

  std::string parent_;
  std::vector<std::string> enforces_;
  std::vector<std::string> leaving_;  // directories that are to go
};

}  // namespace baton::cell
