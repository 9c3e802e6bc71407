// One thread that does one thing after the other: everything that the leader keeps in memory lives on it, so nothing
// of that needs a lock.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace baton {

class Loop {
 public:
  using Task = std::function<void()>;
  using Steady = std::chrono::steady_clock;

  Loop();
  ~Loop();

  // From any thread. After Stop nothing runs any more.
  void Post(Task task);
  void After(std::chrono::microseconds delay, Task task);
  void Stop();

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  std::multimap<Steady::time_point, Task> timers_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace baton
