// Requests without end, from clients of three kinds: kept-alive and busy, kept-alive and mostly idle, and a new
// connection for each. Every request that is not answered with 200, by the right instance, is a failure.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/tools/router/http_client.h"

namespace baton::router {

struct LoadTarget {
  std::string host;
  std::string path = "/";
  std::string answered_by;  // how the name of each instance that may answer begins
};

class Load {
 public:
  Load(int port, std::vector<LoadTarget> targets);
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
  void KeptAlive(std::chrono::milliseconds pause, std::size_t first);
  void Fresh(std::size_t first);
  void Note(const std::string& kind, const LoadTarget& target, const HttpAnswer& answer);

  int port_;
  std::vector<LoadTarget> targets_;
  std::atomic<bool> stopping_{false};
  std::atomic<int> requests_{0};
  std::atomic<int> failures_{0};
  std::mutex mutex_;
  std::vector<std::string> texts_;
  std::vector<std::thread> threads_;
};

}  // namespace baton::router
