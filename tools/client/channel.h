// Connections to batond, as all its clients make them.
#pragma once

#include <grpcpp/channel.h>

#include <memory>
#include <string>

namespace grpc {
class ChannelCredentials;
}

namespace baton {

// How a client shows who it is (tools/tls); null: not at all, without TLS.
using ClientCredentials = std::shared_ptr<grpc::ChannelCredentials>;

inline constexpr int kDefaultPort = 8891;
inline constexpr char kDefaultAddress[] = "127.0.0.1:8891";

// A channel with keepalive (a dead peer is noticed within about 5 s) and no limit on the size of what is received.
// Each call says that it comes of this program, of which version: a batond that is older refuses it.
// Does not connect yet.
std::shared_ptr<grpc::Channel> Dial(const std::string& address, const ClientCredentials& credentials = nullptr);

}  // namespace baton
