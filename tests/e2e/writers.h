// Callers of baton.v1 that write all the time, each to an app of its own, whose annotation it counts up. What may have been
// done is asked for again with the same number: the same again changes nothing.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tools/client/channel.h"

namespace baton {

class Writers {
 public:
  // Where one batond does not answer or lead, the next is asked. `pause`: between two writes of one caller.
  Writers(std::vector<std::string> addresses, int count, std::chrono::milliseconds pause = {},
          ClientCredentials credentials = nullptr);
  ~Writers();
  void Stop();

  struct App {
    std::atomic<int> acknowledged{0};  // the number written last
    std::atomic<int> refused{0};       // answers that say no
  };
  static std::string Guid(std::size_t i) { return "written-" + std::to_string(i); }
  std::size_t count() const { return apps_.size(); }
  const App& app(std::size_t i) const { return apps_[i]; }
  int Acknowledged() const;
  // The longest time in which one caller had no answer, since the start or the last ForgetLongestWait.
  std::chrono::milliseconds longest_wait() const { return std::chrono::milliseconds(longest_wait_ms_); }
  void ForgetLongestWait() { longest_wait_ms_ = 0; }

 private:
  void Write(std::size_t i);

  const std::vector<std::string> addresses_;
  const std::chrono::milliseconds pause_;
  const ClientCredentials credentials_;
  std::vector<App> apps_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::int64_t> longest_wait_ms_{0};
  std::vector<std::thread> threads_;
};

}  // namespace baton
