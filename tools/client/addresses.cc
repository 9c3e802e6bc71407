#include "tools/client/addresses.h"

namespace baton {
namespace {

constexpr char kLeaderTrailer[] = "baton-leader";
constexpr std::size_t kAddressMost = 255;

}  // namespace

void Addresses::Next(const std::string& leader) {
  const bool follow = !named() && !leader.empty() && leader != present();
  if (!follow) at_ = (at_ + 1) % given_.size();
  named_ = follow ? leader : std::string();
}

std::string NamedLeader(const grpc::ClientContext& context) {
  const auto& trailers = context.GetServerTrailingMetadata();
  const auto at = trailers.find(kLeaderTrailer);
  if (at == trailers.end() || at->second.size() > kAddressMost) return {};
  const std::string named(at->second.data(), at->second.size());
  return named.find(':') == std::string::npos ? std::string() : named;
}

}  // namespace baton
