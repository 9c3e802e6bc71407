#include "orchestrator/server/calls/long_calls.h"

#include <grpc/grpc.h>
#include <grpcpp/server_context.h>

#include <utility>
#include <vector>

#include "orchestrator/bounds/cut_connection.h"
#include "orchestrator/transform/services/in_process.h"

namespace baton {
namespace {

using RpcInfo = grpc::experimental::ServerRpcInfo;

class NotedCall final : public grpc::experimental::Interceptor {
 public:
  NotedCall(LongCalls& calls, IdentityLimits::Slot slot, RpcInfo& info) : calls_(calls), slot_(std::move(slot)) {
    calls_.Begin(this, *info.server_context(), info.method());
  }
  ~NotedCall() override { calls_.End(this); }
  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override { methods->Proceed(); }

 private:
  LongCalls& calls_;
  const IdentityLimits::Slot slot_;
};

}  // namespace

void LongCalls::Begin(const void* key, grpc::ServerContextBase& context, const char* method) {
  const std::lock_guard lock(mutex_);
  calls_[key] = {&context, method};
}

void LongCalls::End(const void* key) {
  const std::lock_guard lock(mutex_);
  calls_.erase(key);
}

void LongCalls::Look(const AccessGate& gate) {
  struct Over {
    grpc_call* call;
    std::string why, method;
  };
  std::vector<Over> over;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, one] : calls_) {
      auto why = gate.WhyRevoked(*one.context, one.method);
      if (!why) continue;
      // It is in the map, so its context is there; what cancelling calls back comes for the lock.
      grpc_call_ref(one.context->c_call());
      over.push_back({one.context->c_call(), *std::move(why), one.method});
      to_cut_.insert(one.context->peer());
    }
  }
  for (const Over& one : over) {
    // Counted first: who sees the stream end may ask for the count at once.
    metrics_.Count("baton_streams_over_total");
    log_.Warn("stream_over", {{"method", one.method}, {"reason", one.why}});
    grpc_call_cancel_with_status(one.call, GRPC_STATUS_UNAUTHENTICATED, one.why.c_str(), nullptr);
    grpc_call_unref(one.call);
  }
}

void LongCalls::CutConnections() {
  std::set<std::string> peers;
  {
    const std::lock_guard lock(mutex_);
    peers.swap(to_cut_);
  }
  for (const std::string& peer : peers) bounds::CutConnection(peer);
}

grpc::experimental::Interceptor* NotedLongCalls::CreateServerInterceptor(RpcInfo* info) {
  if (!dependencies_.gate || (info->type() == RpcInfo::Type::UNARY && info->method() != kWaits)) return nullptr;
  grpc::ServerContextBase& context = *info->server_context();
  if (transform::InProcessCaller(context)) return nullptr;  // v1's own call is looked at
  auto slot = limits_.Take(IdentityLimits::Kind::kStreams, NameOf(dependencies_, context));
  if (slot) return new NotedCall(calls_, *std::move(slot), *info);
  grpc_call_cancel_with_status(context.c_call(), GRPC_STATUS_RESOURCE_EXHAUSTED, slot.error().message.c_str(), nullptr);
  return nullptr;
}

}  // namespace baton
