// Which instances were ordered from which cell and are not claimed yet. Store threads read it to check a claim; the
// leader's thread writes it. An unanswered order holds until another cell is asked, even if the stream ended: its claim
// may be under way.
#pragma once

#include <chrono>
#include <map>
#include <mutex>

#include "orchestrator/model/id.h"

namespace baton {

class OpenOrders {
 public:
  void Add(const ActualId& id, const CellId& cell) {
    const std::lock_guard lock(mutex_);
    const auto now = Steady::now();
    std::erase_if(cells_,
                  [now](const auto& entry) { return entry.second.left && now - entry.second.since > kLateMax; });
    cells_[id] = {cell, /*left=*/false, now};
  }
  // The order no longer waits for an answer.
  void Leave(const ActualId& id) {
    const std::lock_guard lock(mutex_);
    const auto at = cells_.find(id);
    if (at != cells_.end()) at->second = {at->second.cell, /*left=*/true, Steady::now()};
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
    return at != cells_.end() && at->second.cell == cell;
  }

 private:
  using Steady = std::chrono::steady_clock;
  static constexpr std::chrono::minutes kLateMax{5};
  struct Order {
    CellId cell;
    bool left = false;
    Steady::time_point since;
  };
  mutable std::mutex mutex_;
  std::map<ActualId, Order> cells_;
};

}  // namespace baton
