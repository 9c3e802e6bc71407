// Host port ranges of the connected cells. Store threads read them to check a start; the leader's thread writes them.
#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "orchestrator/model/fleet/cell.h"

namespace baton {

class CellPorts {
 public:
  // Nothing: the cell does not say.
  void Set(const CellId& cell, const std::optional<PortSpan>& ports) {
    const std::lock_guard lock(mutex_);
    ports ? void(ports_[cell] = *ports) : void(ports_.erase(cell));
  }
  void Clear() {
    const std::lock_guard lock(mutex_);
    ports_.clear();
  }
  std::optional<PortSpan> Of(const CellId& cell) const {
    const std::lock_guard lock(mutex_);
    const auto at = ports_.find(cell);
    return at == ports_.end() ? std::nullopt : std::optional(at->second);
  }

 private:
  mutable std::mutex mutex_;
  std::map<CellId, PortSpan> ports_;
};

}  // namespace baton
