#include "orchestrator/transform/services/pass.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "orchestrator/model/calls/wire_names.h"
#include "orchestrator/transform/services/in_process.h"

namespace baton::transform {
namespace {

constexpr std::array<const char*, 4> kOnward = {kActorKey, kRequestIdKey, kTraceParentKey, kClientVersionKey};
constexpr std::array<const char*, 3> kBack = {kRetryTrailer, kLeaderTrailer, kClientRefusedTrailer};
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

// Of a text at `path`, of messages within one another; empty where there is none.
std::string TextAt(const google::protobuf::Message& message, const std::vector<const char*>& path) {
  const google::protobuf::Message* at = &message;
  for (const char* const name : path) {
    const auto* field = at->GetDescriptor()->FindFieldByName(name);
    if (!field || field->is_repeated()) return {};
    if (field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_STRING) return at->GetReflection()->GetString(*at, field);
    if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) return {};
    at = &at->GetReflection()->GetMessage(*at, field);
  }
  return {};
}

// Calls of v1 name their app in one of three places.
std::string AppOf(const google::protobuf::Message& request) {
  static const std::vector<std::vector<const char*>> kPaths = {
      {"process_guid"}, {"desired_lrp", "process_guid"}, {"actual_lrp_key", "process_guid"}};
  for (const auto& path : kPaths) {
    if (std::string guid = TextAt(request, path); !guid.empty()) return guid;
  }
  return {};
}

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

std::string AskedAs(const std::string& method) {
  std::string asked = "baton.v1." + method;
  std::ranges::replace(asked.begin() + sizeof "baton.v1", asked.end(), '.', '/');
  return asked;
}

std::unique_ptr<grpc::ClientContext> Onward(const Backend& backend, const grpc::CallbackServerContext& context,
                                            const std::string& method) {
  auto onward = grpc::ClientContext::FromCallbackServerContext(context);
  for (const char* key : kOnward) {
    const auto [first, end] = context.client_metadata().equal_range(key);
    for (auto at = first; at != end; ++at) onward->AddMetadata(key, Printable({at->second.data(), at->second.size()}));
  }
  onward->AddMetadata(kAskedInKey, AskedAs(method));
  onward->AddMetadata(kInProcessKey, InProcessToken(backend.CallerOf(context)));
  return onward;
}

bool PassBack(const grpc::ClientContext& from, const grpc::Status& status, grpc::CallbackServerContext& to) {
  AddCode(status, to);
  const auto& trailers = from.GetServerTrailingMetadata();
  for (const char* key : kBack) {
    const auto at = trailers.find(key);
    if (at != trailers.end()) to.AddTrailingMetadata(key, std::string(at->second.data(), at->second.size()));
  }
  // The way to v2 was closed, for example: this batond ends.
  const bool says_when = trailers.contains(kRetryTrailer);
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE && !says_when)
    to.AddTrailingMetadata(kRetryTrailer, kRetrySoonMs);
  return IsAnswer(status) && !trailers.contains(kClientRefusedTrailer);
}

Status CheckCall(const Backend& backend, const google::protobuf::Message& request, const std::string& method,
                 const Status& valid) {
  const Status ready = backend.Ready();
  if (!ready || !valid) return ready ? valid : ready;
  return CheckKnown(request, method);
}

grpc::Status RefusedCall(const Backend& backend, const google::protobuf::Message& request, const std::string& method,
                         const Error& error, grpc::CallbackServerContext& context) {
  if (backend.refused()) backend.refused()(context, {AskedAs(method), AppOf(request), TextAt(request, {"domain"})}, error);
  return Refused(error, context);
}

grpc::Status Refused(const Error& error, grpc::CallbackServerContext& context) {
  const grpc::Status status(error.kind == ErrorKind::kInvalidArgument ? grpc::StatusCode::INVALID_ARGUMENT
                                                                      : grpc::StatusCode::UNAVAILABLE,
                            error.message);
  AddCode(status, context);
  if (error.retry_after) context.AddTrailingMetadata(kRetryTrailer, kRetrySoonMs);
  return status;
}

}  // namespace baton::transform
