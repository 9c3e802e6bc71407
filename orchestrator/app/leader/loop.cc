#include "orchestrator/app/leader/loop.h"

#include <utility>

namespace baton {

Loop::Loop() : thread_([this] { Run(); }) {}

Loop::~Loop() { Stop(); }

void Loop::Post(Task task) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return;
  tasks_.push_back(std::move(task));
  wake_.notify_one();
}

void Loop::After(std::chrono::microseconds delay, Task task) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return;
  const auto timer = timers_.emplace(Steady::now() + delay, std::move(task));
  if (timer == timers_.begin()) wake_.notify_one();  // else it wakes for an earlier one anyway
}

void Loop::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    wake_.notify_all();
  }
  if (thread_.joinable() && thread_.get_id() != std::this_thread::get_id()) thread_.join();
}

void Loop::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const auto now = Steady::now();
    while (!timers_.empty() && timers_.begin()->first <= now) {
      tasks_.push_back(std::move(timers_.begin()->second));
      timers_.erase(timers_.begin());
    }
    if (tasks_.empty()) {
      if (timers_.empty()) {
        wake_.wait(lock);
      } else {
        const auto next = timers_.begin()->first;
        wake_.wait_until(lock, next);
      }
      continue;
    }
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;  // what it holds goes before the lock is taken again
    lock.lock();
  }
}

}  // namespace baton
