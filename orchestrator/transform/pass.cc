#include "orchestrator/transform/pass.h"

#include <array>
#include <string_view>

namespace baton::transform {
namespace {

// As orchestrator/server/call_context.h has them: they are of the API, of both versions.
constexpr std::array<const char*, 2> kOnward = {"baton-actor", "baton-request-id"};
constexpr std::array<const char*, 2> kBack = {"baton-retry-after-ms", "baton-leader"};
constexpr char kCode[] = "baton-code";

std::string_view Name(grpc::StatusCode code) {
  constexpr std::string_view kNames[] = {"OK",
                                         "CANCELLED",
                                         "UNKNOWN",
                                         "INVALID_ARGUMENT",
                                         "DEADLINE_EXCEEDED",
                                         "NOT_FOUND",
                                         "ALREADY_EXISTS",
                                         "PERMISSION_DENIED",
                                         "RESOURCE_EXHAUSTED",
                                         "FAILED_PRECONDITION",
                                         "ABORTED",
                                         "OUT_OF_RANGE",
                                         "UNIMPLEMENTED",
                                         "INTERNAL",
                                         "UNAVAILABLE",
                                         "DATA_LOSS",
                                         "UNAUTHENTICATED"};
  return kNames[code >= 0 && code <= 16 ? code : 2];
}

constexpr char kRetrySoonMs[] = "100";

void AddCode(const grpc::Status& status, grpc::CallbackServerContext& to) {
  if (!status.ok()) to.AddTrailingMetadata(kCode, std::string(Name(status.error_code())));
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string printable(text);
  for (char& c : printable) {
    if (c < 0x20 || c > 0x7E) c = '?';
  }
  return printable;
}

std::unique_ptr<grpc::ClientContext> Onward(const grpc::CallbackServerContext& context) {
  auto onward = grpc::ClientContext::FromCallbackServerContext(context);
  for (const char* key : kOnward) {
    const auto at = context.client_metadata().find(key);
    if (at != context.client_metadata().end()) {
      onward->AddMetadata(key, Printable({at->second.data(), at->second.size()}));
    }
  }
  onward->AddMetadata(kAskedIn, "v1");
  return onward;
}

void PassBack(const grpc::ClientContext& from, const grpc::Status& status, grpc::CallbackServerContext& to) {
  AddCode(status, to);
  const auto& trailers = from.GetServerTrailingMetadata();
  for (const char* key : kBack) {
    const auto at = trailers.find(key);
    if (at != trailers.end()) to.AddTrailingMetadata(key, std::string(at->second.data(), at->second.size()));
  }
  // The way to v2 was closed, for example: this batond ends.
  const bool says_when = trailers.contains(kBack[0]);
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE && !says_when) to.AddTrailingMetadata(kBack[0], kRetrySoonMs);
}

grpc::Status Refused(const Error& error, grpc::CallbackServerContext& context) {
  const grpc::Status status(error.kind == ErrorKind::kInvalidArgument ? grpc::StatusCode::INVALID_ARGUMENT
                                                                      : grpc::StatusCode::UNAVAILABLE,
                            error.message);
  AddCode(status, context);
  if (error.retry_after) context.AddTrailingMetadata(kBack[0], kRetrySoonMs);
  return status;
}

}  // namespace baton::transform
