#include "orchestrator/server/callers/write_limit.h"

#include <grpc/grpc.h>
#include <grpcpp/server_context.h>

#include <algorithm>
#include <vector>

namespace baton {
namespace {

using grpc::experimental::InterceptionHookPoints;

Ticker::Wait Every(Duration most) { return std::max<Duration>(most / 8, milliseconds(10)); }

class Interceptor final : public grpc::experimental::Interceptor {
 public:
  Interceptor(WriteLimit& limit, grpc::experimental::ServerRpcInfo& info) : limit_(limit), info_(info) {}
  ~Interceptor() override { limit_.End(this); }

  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_MESSAGE)) {
      limit_.Begin(this, *info_.server_context(), info_.method());
    }
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::POST_SEND_MESSAGE)) limit_.End(this);
    methods->Proceed();
  }

 private:
  WriteLimit& limit_;
  grpc::experimental::ServerRpcInfo& info_;
};

}  // namespace

WriteLimit::WriteLimit(Duration most, Log& log, Metrics& metrics)
    : most_(most), log_(log), metrics_(metrics), ticker_(Every(most), [this] { return Look(); }) {}

void WriteLimit::Begin(const void* key, grpc::ServerContextBase& context, const char* method) {
  const std::lock_guard lock(mutex_);
  writes_[key] = {context.c_call(), method, context.peer(), Steady::now()};
}

void WriteLimit::End(const void* key) {
  const std::lock_guard lock(mutex_);
  writes_.erase(key);
}

Ticker::Wait WriteLimit::Look() {
  const auto too_old = Steady::now() - most_;
  std::vector<Write> late;
  std::unique_lock lock(mutex_);
  for (auto at = writes_.begin(); at != writes_.end();) {
    if (at->second.began > too_old) {
      ++at;
      continue;
    }
    // It is in the map, so its call is there; what cancelling calls back comes for the lock.
    grpc_call_ref(at->second.call);
    late.push_back(std::move(at->second));
    at = writes_.erase(at);
  }
  lock.unlock();
  for (const Write& write : late) CutOff(write);
  return Every(most_);
}

void WriteLimit::CutOff(const Write& write) {
  const std::string text = "nothing of this stream was read for " + std::to_string(Millis(most_)) +
                           " ms: read faster, follow less, or begin again where it ended";
  grpc_call_cancel_with_status(write.call, GRPC_STATUS_RESOURCE_EXHAUSTED, text.c_str(), nullptr);
  grpc_call_unref(write.call);
  metrics_.Count("baton_streams_cut_off_total");
  log_.Warn("stream_cut_off", {{"method", write.method}, {"peer", write.peer}, {"unread_ms", Millis(most_)}});
}

grpc::experimental::Interceptor* LimitedWrites::CreateServerInterceptor(grpc::experimental::ServerRpcInfo* info) {
  if (info->type() == grpc::experimental::ServerRpcInfo::Type::UNARY) return nullptr;  // its answer is all that it holds
  return new Interceptor(limit_, *info);
}

}  // namespace baton
