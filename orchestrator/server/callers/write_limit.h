// Cuts off who does not read. A message of a stream is held in memory until the caller's HTTP/2 window lets it leave, and a
// caller whose window stays shut holds it, and its stream, for ever. One that has not left in time ends its call with
// RESOURCE_EXHAUSTED. The status goes past what waits: gRPC's own end of a stream would wait behind it.
#pragma once

#include <grpcpp/support/server_interceptor.h>

#include <chrono>
#include <map>
#include <mutex>
#include <string>

#include "orchestrator/base/ticker.h"
#include "orchestrator/base/time.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"

struct grpc_call;

namespace baton {

class WriteLimit {
 public:
  // `most`: that a message may take.
  WriteLimit(Duration most, Log& log, Metrics& metrics);

  // A message of the call begins to leave, or has left, or never will. `key`: the call's; one message at a time.
  void Begin(const void* key, grpc::ServerContextBase& context, const char* method);
  void End(const void* key);

 private:
  using Steady = std::chrono::steady_clock;
  struct Write {
    grpc_call* call = nullptr;
    std::string method;
    std::string peer;
    Steady::time_point began;
  };
  Ticker::Wait Look();
  void CutOff(const Write& write);

  const Duration most_;
  Log& log_;
  Metrics& metrics_;
  std::mutex mutex_;
  std::map<const void*, Write> writes_;  // under way
  Ticker ticker_;
};

// Tells it of the messages of each stream.
class LimitedWrites final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  // `limit` lives as long as the server.
  explicit LimitedWrites(WriteLimit& limit) : limit_(limit) {}
  grpc::experimental::Interceptor* CreateServerInterceptor(grpc::experimental::ServerRpcInfo* info) override;

 private:
  WriteLimit& limit_;
};

}  // namespace baton
