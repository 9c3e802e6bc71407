// Who calls, by the certificate of the connection.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>

#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/access/identity.h"

namespace baton {

// Nothing: a connection without TLS, a call within this process, or a certificate that says nobody of this trust domain.
std::optional<Identity> CallerOf(const grpc::ServerContextBase& context, std::string_view trust_domain);

// A cell and a router speak for themselves alone: `name` is what the stream says of itself, and has to be the
// certificate's. PERMISSION_DENIED. `trust_domain` empty: there is no authentication, and the claimed name is accepted.
grpc::Status CheckOwnName(const grpc::ServerContextBase& context, std::string_view trust_domain, Role role, const std::string& name);

}  // namespace baton
