// One thread that owns all state of a program: file descriptors, timers and what other threads post into it.
// The shim and the cell both run on it; nothing of theirs needs a lock.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "orchestrator/base/unique_fd.h"

namespace baton::shim {

class EventLoop {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;
  using Task = std::function<void()>;
  using Ready = std::function<void()>;
  using TimerId = std::uint64_t;  // 0 names none

  EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Serves until Stop; may be called again afterwards.
  void Run();
  void Stop() { stopped_ = true; }

  // From any thread. Tasks run in the order of posting.
  void Post(Task task);

  // Only from the loop's thread, as all below. `ready` is called for as long as the descriptor is readable or hung up.
  // Unwatch before closing it.
  void Watch(int fd, Ready ready);
  void Unwatch(int fd);

  TimerId At(Time when, Task task);
  TimerId After(Clock::duration delay, Task task) { return At(Clock::now() + delay, std::move(task)); }
  // Nothing happens if it ran already.
  void Cancel(TimerId id);

 private:
  int WaitMillis() const;
  void RunPosted();
  void RunDue();

  UniqueFd epoll_;
  UniqueFd wake_;
  bool stopped_ = false;

  std::mutex mutex_;  // guards posted_
  std::vector<Task> posted_;

  // A descriptor's number may be used again within one round of epoll: the key is a count that never is.
  std::uint64_t last_key_ = 0;
  std::unordered_map<int, std::uint64_t> keys_;
  std::unordered_map<std::uint64_t, std::shared_ptr<Ready>> watched_;

  TimerId last_timer_ = 0;
  std::map<std::pair<Time, TimerId>, Task> timers_;
  std::unordered_map<TimerId, Time> due_;
};

}  // namespace baton::shim
