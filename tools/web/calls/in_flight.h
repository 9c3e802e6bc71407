// The calls that gRPC's threads are still to tell of. Before the loop goes, they are ended and waited for.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace baton::web {

class InFlight {
 public:
  using Key = const void*;

  // `cancel` must not wait.
  void Begin(Key key, std::function<void()> cancel) {
    const std::lock_guard lock(mutex_);
    calls_.emplace(key, std::move(cancel));
  }
  // gRPC has told all of it. From its thread.
  void End(Key key) {
    const std::lock_guard lock(mutex_);
    calls_.erase(key);
    if (calls_.empty()) none_.notify_all();
  }
  // Nobody begins one any more.
  void CancelAndWait() {
    std::unique_lock lock(mutex_);
    const auto cancels = calls_;
    lock.unlock();
    for (const auto& [key, cancel] : cancels) cancel();
    lock.lock();
    none_.wait(lock, [this] { return calls_.empty(); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable none_;
  std::map<Key, std::function<void()>> calls_;
};

}  // namespace baton::web
