// Which instances were ordered from which cell and are not claimed yet. Store threads read it to check a claim; the
// leader's thread writes it. An unanswered order holds until another cell is asked, even if the stream ended: its claim
// may be under way.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "orchestrator/model/id.h"

namespace baton {

class OpenOrders {
 public:
  using Steady = std::chrono::steady_clock;
  static constexpr std::chrono::minutes kLateMax{5};  // so long after it was left

  void Add(const ActualId& id, const CellId& cell, Steady::time_point now) {
    const std::lock_guard lock(mutex_);
    ForgetLeft(now - kLateMax);
    cells_[id] = {cell, std::nullopt};
  }
  // The order no longer waits for an answer.
  void Leave(const ActualId& id, Steady::time_point now) {
    const std::lock_guard lock(mutex_);
    const auto at = cells_.find(id);
    if (at == cells_.end()) return;
    at->second.left_at = now;
    left_.emplace_back(now, id);
  }
  void Drop(const ActualId& id) {
    const std::lock_guard lock(mutex_);
    cells_.erase(id);
  }
  void Clear() {
    const std::lock_guard lock(mutex_);
    cells_.clear();
    left_.clear();
  }
  // From any thread.
  bool IsOf(const ActualId& id, const CellId& cell) const {
    const std::lock_guard lock(mutex_);
    const auto at = cells_.find(id);
    return at != cells_.end() && at->second.cell == cell;
  }

 private:
  struct Order {
    CellId cell;
    std::optional<Steady::time_point> left_at;  // nothing: it waits for its answer
  };

  // An order costs the same whatever the number of open ones.
  void ForgetLeft(Steady::time_point until) {
    for (; !left_.empty() && left_.front().first < until; left_.pop_front()) {
      const auto at = cells_.find(left_.front().second);
      if (at != cells_.end() && at->second.left_at == left_.front().first) cells_.erase(at);
    }
  }

  mutable std::mutex mutex_;
  std::map<ActualId, Order> cells_;
  std::deque<std::pair<Steady::time_point, ActualId>> left_;  // oldest first; one may have been asked for again since
};

}  // namespace baton
