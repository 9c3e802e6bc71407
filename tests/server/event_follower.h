// A subscriber that keeps a table of what there is, as users' programs do.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/server/running_service.h"

namespace baton {

class EventFollower {
 public:
  EventFollower(RunningService& service, v2::SubscribeRequest request) : EventFollower(*service.events, std::move(request)) {}
  EventFollower(v2::Events::Stub& events, v2::SubscribeRequest request);
  ~EventFollower();

  // Waits until it has been told everything up to `sequence`, or all there was for the moment.
  bool WaitFor(const std::function<bool()>& condition) { return Eventually(condition); }
  std::vector<v2::Event> events();
  std::size_t count();  // of them, without a copy: who copies all he was told after each is no quick reader
  std::vector<std::string> kinds();
  std::int64_t sequence();  // resumes from here
  bool caught_up();
  int answers();
  bool complete();  // after a snapshot
  bool over();      // its stream has ended: Ended does not wait
  // What a naive program has: the last word about each thing.
  std::map<std::string, v2::ActualLRP> actuals();
  std::map<std::string, v2::DesiredLRPSchedulingInfo> apps();
  // How it ended; waits for it.
  grpc::Status Ended();
  void Cancel() { context_.TryCancel(); }

  static v2::SubscribeRequest After(std::int64_t sequence);
  static v2::SubscribeRequest Snapshot();

 private:
  void Read(const v2::SubscribeRequest& request);
  void Take(const v2::SubscribeResponse& answer);

  grpc::ClientContext context_;
  v2::Events::Stub& stub_;
  std::mutex mutex_;
  std::vector<v2::Event> events_;
  std::map<std::string, v2::ActualLRP> actuals_;
  std::map<std::string, v2::DesiredLRPSchedulingInfo> apps_;
  std::int64_t sequence_ = 0;
  bool caught_up_ = false;
  int answers_ = 0;
  bool complete_ = false;
  bool over_ = false;
  grpc::Status end_;
  std::thread reader_;
};

}  // namespace baton
