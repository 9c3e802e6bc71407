#include "tools/client/hints.h"

#include <algorithm>
#include <charconv>

#include "orchestrator/model/calls/wire_names.h"
#include "orchestrator/model/semver.h"
#include "orchestrator/model/version.h"

namespace baton {
namespace {

constexpr std::size_t kAddressMax = 255;
constexpr std::int64_t kRetryMostMs = 10'000;

}  // namespace

Hints HintsIn(const grpc::ClientContext& context) {
  const auto& trailers = context.GetServerTrailingMetadata();
  Hints hints;
  if (const auto at = trailers.find(kLeaderTrailer); at != trailers.end() && at->second.size() <= kAddressMax) {
    hints.leader.assign(at->second.data(), at->second.size());
    if (hints.leader.find(':') == std::string::npos) hints.leader.clear();
  }
  if (const auto at = trailers.find(kRetryTrailer); at != trailers.end()) {
    std::int64_t ms = 0;
    std::from_chars(at->second.data(), at->second.data() + at->second.size(), ms);
    hints.retry_after = std::chrono::milliseconds(std::clamp<std::int64_t>(ms, 0, kRetryMostMs));
  }
  return hints;
}

std::string OlderServerIn(const grpc::ClientContext& context) {
  const auto& head = context.GetServerInitialMetadata();
  const auto at = head.find(kServerVersionKey);
  if (at == head.end()) return {};
  std::string version(at->second.data(), at->second.size());
  const auto server = Semver::Parse(version);
  return server && server->Release() < Semver::Parse(kAppVersion)->Release() ? version : std::string();
}

bool InsecureIn(const grpc::ClientContext& context) { return context.GetServerInitialMetadata().contains(kInsecureKey); }

std::string DataIn(const grpc::ClientContext& context) {
  const auto& head = context.GetServerInitialMetadata();
  const auto at = head.find(kDataKey);
  return at == head.end() ? std::string() : std::string(at->second.data(), at->second.size());
}

}  // namespace baton
