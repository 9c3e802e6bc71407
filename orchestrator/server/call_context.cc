#include "orchestrator/server/call_context.h"

#include <atomic>
#include <chrono>

#include "orchestrator/model/wire_names.h"
#include "orchestrator/wire/text.h"

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
    case ErrorKind::kUnimplemented: return grpc::StatusCode::UNIMPLEMENTED;
    case ErrorKind::kInternal: return grpc::StatusCode::INTERNAL;
  }
  return grpc::StatusCode::INTERNAL;
}

std::string Metadata(const grpc::CallbackServerContext& context, const char* key, std::size_t most) {
  const auto at = context.client_metadata().find(key);
  if (at == context.client_metadata().end()) return {};
  return wire::Clean(std::string_view(at->second.data(), std::min(at->second.size(), most)));
}

}  // namespace

grpc::Status ToGrpc(const Error& error) { return {CodeOf(error.kind), error.message}; }

std::string ActorOf(const grpc::CallbackServerContext& context) {
  std::string actor = Metadata(context, kActorKey, 200);
  return actor.empty() ? "unknown" : actor;
}

std::string RequestIdOf(const grpc::CallbackServerContext& context) {
  static std::atomic<std::uint64_t> next{
      static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count())};
  std::string id = Metadata(context, kRequestIdKey, 100);
  return id.empty() ? "r" + std::to_string(++next) : id;
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
