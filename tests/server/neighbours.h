// Who calls beside somebody else: how long he waits, and somebody honest who asks as fast as he can, for comparison.
#pragma once

#include <grpcpp/channel.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace baton {

// Asks two cheap questions in turn, one every few milliseconds.
class Neighbour {
 public:
  // `guid`: of an app that is there.
  Neighbour(std::shared_ptr<grpc::Channel> channel, std::string guid);
  ~Neighbour();

  // Milliseconds: of several windows of half a second from now on, the middle one's 99th percentile. Waits for as long.
  double P99Ms(int windows = 3);
  // Calls that were not answered as they should be.
  int failed() const { return failed_; }
  std::string failure() const;

 private:
  void Work();

  const std::shared_ptr<grpc::Channel> channel_;
  const std::string guid_;
  std::atomic<int> failed_{0};
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::string failure_;
  std::vector<double> took_;
  std::thread thread_;
};

// As many calls of the same kind as one connection is answered, until it goes.
class BusyCaller {
 public:
  BusyCaller(const std::shared_ptr<grpc::Channel>& channel, const std::string& guid);
  ~BusyCaller();

 private:
  std::atomic<bool> over_{false};
  std::vector<std::thread> threads_;
};

}  // namespace baton
