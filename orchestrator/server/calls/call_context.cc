#include "orchestrator/server/calls/call_context.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>

#include "orchestrator/model/calls/wire_names.h"
#include "orchestrator/transform/services/in_process.h"
#include "orchestrator/wire/limits/text.h"

namespace baton {
namespace {

grpc::StatusCode CodeOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kInvalidArgument: return grpc::StatusCode::INVALID_ARGUMENT;
    case ErrorKind::kNotFound: return grpc::StatusCode::NOT_FOUND;
    case ErrorKind::kAlreadyExists: return grpc::StatusCode::ALREADY_EXISTS;
    case ErrorKind::kFailedPrecondition: return grpc::StatusCode::FAILED_PRECONDITION;
    case ErrorKind::kOutOfRange: return grpc::StatusCode::OUT_OF_RANGE;
    case ErrorKind::kAborted: return grpc::StatusCode::ABORTED;
    case ErrorKind::kResourceExhausted: return grpc::StatusCode::RESOURCE_EXHAUSTED;
    case ErrorKind::kUnavailable: return grpc::StatusCode::UNAVAILABLE;
    case ErrorKind::kDataLoss: return grpc::StatusCode::DATA_LOSS;
    case ErrorKind::kInternal: return grpc::StatusCode::INTERNAL;
  }
  return grpc::StatusCode::INTERNAL;
}

std::string Metadata(const grpc::CallbackServerContext& context, const char* key, std::size_t most) {
  const auto at = context.client_metadata().find(key);
  if (at == context.client_metadata().end()) return {};
  return wire::Clean(std::string_view(at->second.data(), std::min(at->second.size(), most)));
}

constexpr std::size_t kMethodMax = 100;

// "baton.v1.SERVICE/METHOD".
bool IsMethod(std::string_view text) {
  constexpr std::string_view kOfV1 = "baton.v1.";
  if (!text.starts_with(kOfV1) || text.size() > kMethodMax) return false;
  text.remove_prefix(kOfV1.size());
  return std::ranges::count(text, '/') == 1 &&
         std::ranges::all_of(text, [](char c) { return c == '/' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); });
}

}  // namespace

grpc::Status ToGrpc(const Error& error) { return {CodeOf(error.kind), error.message}; }

bool AskedInV1(const grpc::ServerContextBase& context) {
  return context.client_metadata().contains(kAskedInKey) && transform::InProcessCaller(context);
}

std::string SaidActor(const grpc::CallbackServerContext& context) {
  std::string actor = Metadata(context, kActorKey, kActorBytesMax);
  return actor.empty() ? "unknown" : actor;
}

std::string RequestIdOf(const grpc::CallbackServerContext& context) {
  static std::atomic<std::uint64_t> next{
      static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count())};
  std::string id = Metadata(context, kRequestIdKey, 100);
  return id.empty() ? "r" + std::to_string(++next) : id;
}

TraceParent TraceOf(const grpc::CallbackServerContext& context) {
  const auto [first, end] = context.client_metadata().equal_range(kTraceParentKey);
  if (first == end || std::next(first) != end) return {};
  return TraceParent::From({first->second.data(), first->second.size()});
}

Duration TimeLeft(const grpc::ServerContextBase& context) {
  const auto deadline = context.deadline();
  if (deadline == std::chrono::system_clock::time_point::max()) return Duration::max();
  return std::chrono::duration_cast<Duration>(deadline - std::chrono::system_clock::now());
}

std::string AskedAs(const grpc::CallbackServerContext& context, const char* method) {
  const auto at = context.client_metadata().find(kAskedInKey);
  if (at != context.client_metadata().end() && AskedInV1(context)) {
    const std::string_view asked(at->second.data(), at->second.size());
    if (IsMethod(asked)) return std::string(asked);
  }
  return std::string("baton.v2.") + method;
}

void AddHints(grpc::CallbackServerContext& context, const Error& error) {
  if (error.retry_after) context.AddTrailingMetadata(kRetryTrailer, std::to_string(Millis(*error.retry_after)));
  if (!error.leader.empty()) context.AddTrailingMetadata(kLeaderTrailer, error.leader);
}

void Finish(grpc::CallbackServerContext& context, grpc::ServerUnaryReactor& reactor, const Status& status) {
  if (status) return reactor.Finish(grpc::Status::OK);
  AddHints(context, status.error());
  reactor.Finish(ToGrpc(status.error()));
}

}  // namespace baton
