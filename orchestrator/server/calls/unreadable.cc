#include "orchestrator/server/calls/unreadable.h"

#include <grpcpp/server_context.h>

#include <atomic>
#include <chrono>
#include <string_view>

#include "orchestrator/bounds/bounded_parse.h"
#include "orchestrator/bounds/cut_connection.h"
#include "orchestrator/model/calls/wire_names.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/server/calls/long_calls.h"
#include "orchestrator/transform/services/in_process.h"

namespace baton {
namespace {

using grpc::experimental::InterceptionHookPoints;

std::string RapidCancelsMost(int most) {
  return std::to_string(most) + " calls of a connection in " + std::to_string(bounds::kCancelsWindow.count()) +
         " s, each cancelled within a second (--rapid-cancels-most)";
}

class UnreadableRequest final : public grpc::experimental::Interceptor {
 public:
  UnreadableRequest(ServerDependencies& s, bounds::RapidCancels& cancels,
                    const UnreadableRequests::OnUnreadable& on_unreadable, grpc::experimental::ServerRpcInfo& info,
                    IdentityCalls::Place place)
      : metrics_(s.metrics), cancels_(cancels), log_(s.log), on_unreadable_(on_unreadable), info_(info),
        place_(std::move(place)) {}

  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    // Right after the parser, on its thread.
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::POST_RECV_MESSAGE)) {
      parsed_ = bounds::TakeParsed();
      if (parsed_.refused) metrics_.Count("baton_calls_refused_total", parsed_.refused->why);
    }
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_STATUS)) {
      const grpc::Status status = methods->GetSendStatus();
      if (parsed_.refused) {
        Refuse(parsed_.refused->error, *methods);
      } else if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED && status.error_message().empty()) {
        // Baton's own refusals, UNIMPLEMENTED ones too, always say something.
        Refuse(
            {ErrorKind::kInvalidArgument,
             "the request cannot be read: a text in it is not valid UTF-8, or its messages are nested deeper than 100",
             {}},
            *methods);
      }
    }
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_MESSAGE)) answered_ = true;
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::POST_RECV_CLOSE)) NoteEnd();
    methods->Proceed();
  }

 private:
  // Who has waited for an answer and leaves then has only read as much as it wanted; and what ended at its own deadline
  // nobody has cancelled: of a client with more calls than may be open at once, each comes with what its own queue has
  // left of its time. That counts with those that live longer (--cancels-most).
  void NoteEnd() {
    if (answered_) return;
    const auto now = Steady::now();
    if (now - began_ > bounds::kRapid || !IsOurs() || !info_.server_context()->IsCancelled()) return;
    if (TimeLeft(*info_.server_context()) < bounds::kAtDeadline) return;
    if (!cancels_.Note(peer_, now) || bounds::CutConnection(peer_) == 0) return;
    metrics_.Count("baton_connections_cut_off_total", "rapid cancels");
    log_.Warn("connection_cut_off",
              {{"peer", peer_}, {"why", "rapid cancels"}, {"limit", RapidCancelsMost(cancels_.most())}});
  }
  // Reflection is served in gRPC's older way: to ask whether such a call was cancelled asks for what is being told
  // here, and again, until the stack is full.
  bool IsOurs() const { return std::string_view(info_.method()).starts_with("/baton."); }
  void Refuse(const Error& error, grpc::experimental::InterceptorBatchMethods& methods) {
    methods.ModifySendStatus(ToGrpc(error));
    // All services of Baton's are served in gRPC's callback way, and have such a context.
    if (IsOurs())
      on_unreadable_(*static_cast<const grpc::CallbackServerContext*>(info_.server_context()), info_.method() + 1,
                     error);
    if (error.retry_after) {
      methods.GetSendTrailingMetadata()->emplace(kRetryTrailer, std::to_string(Millis(*error.retry_after)));
    }
  }

  using Steady = std::chrono::steady_clock;
  Metrics& metrics_;
  bounds::RapidCancels& cancels_;
  Log& log_;
  const UnreadableRequests::OnUnreadable& on_unreadable_;
  grpc::experimental::ServerRpcInfo& info_;
  const std::string peer_ = info_.server_context()->peer();  // once it is cancelled, it has none
  const Steady::time_point began_ = Steady::now();
  const IdentityCalls::Place place_;
  bounds::Parsed parsed_;
  std::atomic<bool> answered_{false};
};

}  // namespace

grpc::experimental::Interceptor* UnreadableRequests::CreateServerInterceptor(grpc::experimental::ServerRpcInfo* info) {
  if (!dependencies_.gate) return new UnreadableRequest(dependencies_, cancels_, on_unreadable_, *info, {});
  const grpc::ServerContextBase& context = *info->server_context();
  const std::string who = NameOf(dependencies_, context);
  using Type = grpc::experimental::ServerRpcInfo::Type;
  const bool lasts = info->type() != Type::UNARY || info->method() == kWaits;
  // Of a call with one request gRPC reads that next, on this thread.
  if (info->type() == Type::UNARY || info->type() == Type::SERVER_STREAMING) bounds::NextIsOf(who);
  return new UnreadableRequest(
      dependencies_, cancels_, on_unreadable_, *info,
      transform::InProcessCaller(context) ? IdentityCalls::Place() : dependencies_.gate->Begin(who, lasts));
}

}  // namespace baton
