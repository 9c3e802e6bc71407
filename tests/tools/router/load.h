// Requests without end, from clients of three kinds: kept-alive and busy, kept-alive and mostly idle, and a new
// connection for each. Every request that is not answered with 200 is a failure.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace baton {

class Load {
 public:
  Load(int port, std::vector<std::string> hosts);
  ~Load() { Stop(); }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  void Stop();
  int requests() const { return requests_; }
  int failures() const { return failures_; }
  // The first few, in words; empty if none.
  std::string FirstFailures();
  // Waits until so many more requests were answered.
  bool Further(int requests);

 private:
  void KeptAlive(std::chrono::milliseconds pause, std::size_t first_host);
  void Fresh(std::size_t first_host);
  void Note(const std::string& kind, int status, const std::string& error, const std::string& reason);

  int port_;
  std::vector<std::string> hosts_;
  std::atomic<bool> stopping_{false};
  std::atomic<int> requests_{0};
  std::atomic<int> failures_{0};
  std::mutex mutex_;
  std::vector<std::string> texts_;
  std::vector<std::thread> threads_;
};

}  // namespace baton
