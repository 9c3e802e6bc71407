// The IP address of a socket's peer, as rules of addresses take it and as an error may show it.
#pragma once

#include <optional>
#include <string>

#include "orchestrator/model/calls/allowed_hosts.h"

struct sockaddr;

namespace baton {

// Nothing: it is neither of IPv4 nor of IPv6.
std::optional<IpAddress> IpAddressOf(const sockaddr& address);

// "10.0.0.1", "fd00::1"; a mapped one as IPv4.
std::string TextOf(const IpAddress& address);

// Whether it is "HOST:PORT" with a port of 0 to 65535. gRPC takes a higher one modulo 65536.
bool IsHostAndPort(const std::string& text);

// Whether HOST of "HOST:PORT" is loopback: 127.0.0.0/8, [::1] or localhost. Any other name stands for whatever its
// owner says.
bool IsOnLoopback(const std::string& host_and_port);

}  // namespace baton
