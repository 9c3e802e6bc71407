// A loop of the leader on a thread of its own, of which others ask things.
#pragma once

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "orchestrator/base/errors.h"
#include "orchestrator/base/ticker.h"

namespace baton {

// `Asked` has an `answer`, which takes an Error. Each that is asked is answered once, on the loop's thread: by a turn,
// or with UNAVAILABLE where this process does not lead. After the end it is answered at once. Its owner declares it
// last.
template <class Asked>
class AskedLoop {
 public:
  // Called while this process leads. `at_once`: it was woken, or begins to lead. Gives how long to wait for the next
  // turn.
  using Turn = std::function<Ticker::Wait(const std::vector<Asked>& asked, bool at_once)>;

  explicit AskedLoop(Turn turn)
      : turn_(std::move(turn)), ticker_(
                                    Ticker::kUntilWoken, [this] { return Tick(); }, [this] { Tick(); }) {}

  // From any thread.
  void Lead() {
    const std::lock_guard lock(mutex_);
    leading_ = at_once_ = true;
    ticker_.Wake();
  }
  void Follow() {
    const std::lock_guard lock(mutex_);
    leading_ = false;
  }
  void Wake() {
    const std::lock_guard lock(mutex_);
    at_once_ = true;
    ticker_.Wake();
  }
  void Ask(Asked asked) {
    {
      const std::lock_guard lock(mutex_);
      if (!ticker_.stopping()) {
        asked_.push_back(std::move(asked));
        return ticker_.Wake();
      }
    }
    asked.answer(NotLeading());
  }
  // Ends the thread, after the turn that is under way.
  void Stop() { ticker_.Stop(); }

 private:
  Ticker::Wait Tick() {
    std::unique_lock lock(mutex_);
    const auto asked = std::exchange(asked_, {});
    const bool leading = leading_ && !ticker_.stopping();
    const bool at_once = std::exchange(at_once_, false);
    lock.unlock();
    if (leading) return turn_(asked, at_once);
    for (const Asked& one : asked) one.answer(NotLeading());
    return Ticker::kUntilWoken;
  }

  const Turn turn_;
  std::mutex mutex_;
  bool leading_ = false;
  bool at_once_ = false;
  std::vector<Asked> asked_;
  Ticker ticker_;
};

}  // namespace baton
