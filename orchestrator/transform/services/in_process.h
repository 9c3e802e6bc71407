// What shows that a call of baton.v2 was made by baton.v1 in this process, and for whom: 32 random bytes that nobody outside knows,
// before the name of who called v1. gRPC calls the peer of a channel within the process "unknown", as it does all that it cannot name.
#pragma once

#include <grpcpp/server_context.h>

#include <optional>
#include <string>
#include <string_view>

namespace baton::transform {

// Metadata of such a call: the bytes in hexadecimal, and "cell/cell-7" after a space; nothing after it without
// authentication.
inline constexpr char kInProcessKey[] = "baton-within";

std::string InProcessToken(const std::string& caller);

// The caller of v1; empty without authentication. Nothing if the token is not this process's own.
std::optional<std::string> InProcessCaller(std::string_view word);
// The same of a call.
std::optional<std::string> InProcessCaller(const grpc::ServerContextBase& context);

}  // namespace baton::transform
