// Calls that a number of callers make, each one after the other (a closed loop), over gRPC's callbacks: this process
// waits for nothing, so that few threads make many calls.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "orchestrator/base/check.h"
#include "tests/bench/rig.h"
#include "tests/server/running_service.h"

namespace baton::bench {

template <class Request, class Response>
struct OneCall {
  std::unique_ptr<grpc::ClientContext> context = std::make_unique<grpc::ClientContext>();
  Request request;
  Response response;
};

class Calls {
 public:
  using Done = std::function<void(bool ok)>;
  // To make call `number`, and to say when it was answered and whether as it should be.
  using Start = std::function<void(int number, Done)>;

  // All of `count` calls, `callers` at a time. Fails the run where one is not answered as it should be. The figure is
  // in 1/s, with latencies and everybody's CPU.
  static Figure Run(Rig& rig, const std::string& row, int count, int callers, const Start& start);
  static void Make(int count, int callers, const Start& start) { (void)Took(count, callers, start); }
  // Milliseconds of each.
  static std::vector<double> Took(int count, int callers, const Start& start);
};

}  // namespace baton::bench
