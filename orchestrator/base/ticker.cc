#include "orchestrator/base/ticker.h"

#include <utility>

namespace baton {

Ticker::Ticker(Wait first, Tick tick, std::function<void()> last) : tick_(std::move(tick)), last_(std::move(last)) {
  // The thread waits for the lock: a tick may look at `thread_`.
  const std::lock_guard lock(mutex_);
  thread_ = std::jthread([this, first](const std::stop_token& stopped) { Run(stopped, first); });
}

void Ticker::Wake() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(woken_, true)) wake_.notify_one();
}

bool Ticker::Rest(Wait wait) {
  std::unique_lock lock(mutex_);
  (void)wake_.wait_for(lock, thread_.get_stop_token(), wait, [] { return false; });
  return !stopping();
}

void Ticker::Stop() {
  thread_.request_stop();
  if (thread_.joinable() && thread_.get_id() != std::this_thread::get_id()) thread_.join();
}

void Ticker::Run(const std::stop_token& stopped, Wait wait) {
  const auto woken = [this] { return woken_; };
  std::unique_lock lock(mutex_);
  for (;;) {
    wait == kUntilWoken ? wake_.wait(lock, stopped, woken) : wake_.wait_for(lock, stopped, wait, woken);
    if (stopped.stop_requested()) break;
    woken_ = false;
    lock.unlock();
    wait = tick_();
    lock.lock();
  }
  lock.unlock();
  if (last_) last_();
}

}  // namespace baton
