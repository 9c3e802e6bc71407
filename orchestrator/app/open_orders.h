// Which instances were ordered of which cell and not claimed yet, for whoever decides about a claim on another thread than the leader's.
#pragma once

#include <map>
#include <mutex>

#include "orchestrator/model/id.h"

namespace baton {

class OpenOrders {
 public:
  void Add(const ActualId& id, const CellId& cell) {
    const std::lock_guard lock(mutex_);
    cells_[id] = cell;
  }
  void Drop(const ActualId& id) {
    const std::lock_guard lock(mutex_);
    cells_.erase(id);
  }
  void Clear() {
    const std::lock_guard lock(mutex_);
    cells_.clear();
  }
  // From any thread.
  bool IsOf(const ActualId& id, const CellId& cell) const {
    const std::lock_guard lock(mutex_);
    const auto at = cells_.find(id);
    return at != cells_.end() && at->second == cell;
  }

 private:
  mutable std::mutex mutex_;
  std::map<ActualId, CellId> cells_;
};

}  // namespace baton
