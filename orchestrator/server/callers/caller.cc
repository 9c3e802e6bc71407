#include "orchestrator/server/callers/caller.h"

#include <vector>

namespace baton {

std::optional<Identity> CallerOf(const grpc::ServerContextBase& context, std::string_view trust_domain) {
  const auto peer = context.auth_context();
  if (!peer || trust_domain.empty()) return std::nullopt;
  std::vector<std::string> uris;
  for (const grpc::string_ref& uri : peer->FindPropertyValues("peer_uri")) uris.emplace_back(uri.data(), uri.size());
  const auto identity = IdentityOf(uris, trust_domain);
  return identity ? std::optional(*identity) : std::nullopt;
}

grpc::Status CheckOwnName(const grpc::ServerContextBase& context, std::string_view trust_domain, Role role, const std::string& name) {
  if (trust_domain.empty()) return grpc::Status::OK;
  const auto caller = CallerOf(context, trust_domain);
  const Identity wanted{role, name};
  if (caller == wanted) return grpc::Status::OK;
  return {grpc::StatusCode::PERMISSION_DENIED, "this connection's certificate is of " + (caller ? Show(*caller) : std::string("nobody")) +
                                                   ", and it speaks as " + Show(wanted)};
}

}  // namespace baton
