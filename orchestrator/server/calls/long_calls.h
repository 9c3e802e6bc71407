// Calls that last: streams, and a wait for a roll. A certificate is looked at when a connection begins, and these go on for weeks: each
// look ends those whose certificate has expired or is refused by now. The connection is ended a moment later, for what it shows is over;
// who has a new certificate comes with that.
#pragma once

#include <grpcpp/support/server_interceptor.h>

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/callers/identity_limits.h"

namespace baton {

// Of the calls with one answer the one that waits for it.
inline constexpr std::string_view kWaits = "/baton.v2.Rolls/WaitRoll";

class LongCalls {
 public:
  LongCalls(Log& log, Metrics& metrics) : log_(log), metrics_(metrics) {}

  void Begin(const void* key, grpc::ServerContextBase& context, const char* method);
  void End(const void* key);

  // From time to time: ends what may not go on.
  void Look(const AccessGate& gate);
  // A moment after that: ends the connections of what was ended.
  void CutConnections();

 private:
  struct One {
    grpc::ServerContextBase* context = nullptr;
    std::string method;
  };
  Log& log_;
  Metrics& metrics_;
  std::mutex mutex_;
  std::map<const void*, One> calls_;
  std::set<std::string> to_cut_;  // peers
};

// Tells it of them, and ends one too many of a caller.
class NotedLongCalls final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  // They live as long as the server.
  NotedLongCalls(LongCalls& calls, IdentityLimits& limits, ServerDependencies& dependencies)
      : calls_(calls), limits_(limits), dependencies_(dependencies) {}
  grpc::experimental::Interceptor* CreateServerInterceptor(grpc::experimental::ServerRpcInfo* info) override;

 private:
  LongCalls& calls_;
  IdentityLimits& limits_;
  ServerDependencies& dependencies_;
};

}  // namespace baton
