// A router that acknowledges exactly what the test tells it to, over a real stream.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/server/running_service.h"

namespace baton {

class ScriptedRouter {
 public:
  // Says hello, and waits for the whole table.
  ScriptedRouter(RunningService& service, const std::string& id);
  // Its stream breaks off: no goodbye.
  ~ScriptedRouter();

  // Each waits for the message that says so.
  bool WasToldToServe(const std::string& actual_id);
  bool WasToldToDrain(const std::string& actual_id);
  // Acknowledges all that it was told so far.
  void Apply();
  // Reports that the instance has no more connections.
  void Drained(const std::string& actual_id);
  // From here on until FallSilent or its end, so that its lease runs.
  void KeepBeating();
  // No word any more; its stream stays.
  void FallSilent();
  void SayGoodbye();

 private:
  bool Await(const std::function<bool(const v2::RouteMessage&)>& heard);
  void Send(const v2::RouteConsumerMessage& message);
  void Listen();

  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v2::RouteConsumerMessage, v2::RouteMessage>> stream_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<v2::RouteMessage> heard_;
  bool silent_ = false;
  bool ended_ = false;
  std::mutex sending_;
  std::thread listener_;
  std::thread heart_;
};

}  // namespace baton
