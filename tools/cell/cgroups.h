// Limits of memory and processes by cgroup v2, where this process may make cgroups; elsewhere nothing is enforced.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/model/definition.h"
#include "orchestrator/model/result.h"

namespace baton {

class Cgroups {
 public:
  // Enforces nothing.
  Cgroups() = default;
  // Below `parent`, a cgroup of ours alone without processes of its own.
  static Cgroups Below(const std::string& parent);
  // Below the cgroup that this process is in, as a service with Delegate=yes has it: moves itself into a leaf first.
  static Cgroups BelowOwn();

  // Of "memory", "pids": CellHello.enforces.
  const std::vector<std::string>& enforces() const { return enforces_; }
  // The directory; empty if nothing is enforced.
  Result<std::string> Make(const std::string& name, const Resources& resources) const;
  // Kills what is in it, too.
  void Remove(const std::string& name) const;

 private:
  std::string parent_;
  std::vector<std::string> enforces_;
};

}  // namespace baton
