#include "orchestrator/server/callers/client_version.h"

#include <optional>

#include "orchestrator/model/calls/wire_names.h"
#include "orchestrator/model/semver.h"
#include "orchestrator/wire/limits/text.h"

namespace baton {
namespace {

constexpr std::string_view kOurs = "baton";
constexpr std::size_t kNameMax = 40;

std::optional<std::string_view> Metadata(const grpc::CallbackServerContext& context, const char* key) {
  const auto at = context.client_metadata().find(key);
  if (at == context.client_metadata().end()) return std::nullopt;
  return std::string_view(at->second.data(), at->second.size());
}

// The first word of what gRPC's clients say of themselves, "baton-cell/0.2.0 grpc-c++/1.51.1": Baton's put their own
// there.
std::string_view NameIn(std::string_view user_agent) {
  return user_agent.starts_with(kOurs) ? user_agent.substr(0, user_agent.find_first_of("/ ")) : std::string_view();
}

}  // namespace

Status CheckClientVersion(std::string_view version, std::string_view name, std::string_view own) {
  const auto client = Semver::Parse(version);
  if (!client) {
    return Error{ErrorKind::kInvalidArgument,
                 std::string("the metadata ") + kClientVersionKey + " is " + wire::Shown(version) +
                     "; it takes a version of three numbers, for example " + std::string(own)};
  }
  if (client->Release() <= Semver::Parse(own)->Release()) return Done{};  // patches go together in any order
  return Error{ErrorKind::kFailedPrecondition, "this batond is " + std::string(own) + " and the client " +
                                                   (name.empty() ? "" : wire::Clean(name.substr(0, kNameMax)) + " ") +
                                                   "is " + std::string(version) +
                                                   ": upgrade batond first, its clients after it"};
}

Status CheckClient(grpc::CallbackServerContext& context, std::string_view own) {
  const auto version = Metadata(context, kClientVersionKey);
  if (!version) return Done{};
  Status status = CheckClientVersion(*version, NameIn(Metadata(context, "user-agent").value_or("")), own);
  if (!status) context.AddTrailingMetadata(kClientRefusedTrailer, "version");
  return status;
}

}  // namespace baton
