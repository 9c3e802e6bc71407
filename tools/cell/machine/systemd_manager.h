// systemd's manager, asked over D-Bus.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>

#include "orchestrator/base/result.h"

struct sd_bus;

namespace baton::cell {

class SystemdManager {
 public:
  // By the system bus. UNAVAILABLE where there is none.
  static Result<SystemdManager> Connect();

  // "/baton.slice/NAME" of a scope that is active; nothing: there is none of this name.
  Result<std::optional<std::string>> ControlGroupOf(const std::string& scope);
  // With this process in it, and with its cgroups left to us (Delegate=). Back when systemd has done it.
  Status StartDelegatedScope(const std::string& scope, const std::string& slice, pid_t holder);

 private:
  struct Unref {
    void operator()(sd_bus* bus) const;
  };
  explicit SystemdManager(sd_bus* bus) : bus_(bus) {}

  std::unique_ptr<sd_bus, Unref> bus_;
};

}  // namespace baton::cell
