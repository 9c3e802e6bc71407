// What wakes a call that waits for changes of an app. While the call looks or writes, a ring is kept for when it is
// done.
#pragma once

#include <functional>
#include <mutex>
#include <utility>

#include "orchestrator/server/rolls/roll_hub.h"

namespace baton {

class Notifier final : public RollHub::Watcher {
 public:
  // `look` is called once for one or more rings, never while the call is not waiting.
  explicit Notifier(std::function<void()> look) : look_(std::move(look)) {}

  void Changed() override { Signal(); }
  void Signal() {
    const std::lock_guard lock(mutex_);
    signaled_ = true;
    LookIfDue();
  }
  // The call has nothing to do until it rings.
  void Wait() {
    const std::lock_guard lock(mutex_);
    waiting_ = true;
    LookIfDue();
  }
  // The call is over.
  void Detach() {
    const std::lock_guard lock(mutex_);
    look_ = nullptr;
  }

 private:
  void LookIfDue() {
    if (!signaled_ || !waiting_ || !look_) return;
    waiting_ = signaled_ = false;
    look_();
  }

  std::recursive_mutex mutex_;  // a look may find nothing and wait again at once
  std::function<void()> look_;
  bool waiting_ = false;
  bool signaled_ = false;
};

}  // namespace baton
