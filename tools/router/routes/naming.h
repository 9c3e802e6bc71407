// The names by which Baton's route table and HAProxy's objects find each other, and what may be in them. Everything
// that goes into a command of HAProxy's is checked here first: a blank, ';' or line end in it would be a command.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::router {

// Where requests go that have no backend of their own; in every configuration that baton-router makes.
inline constexpr std::string_view kNoRouteBackend = "be_none";  // 404: no route fits
inline constexpr std::string_view kIdleBackend = "be_idle";     // 503: a route without an endpoint
inline constexpr std::string_view kFullBackend = "be_full";     // 503: the pool had no backend left for it
inline constexpr std::string_view kNextBackend = "be_next";     // what an old worker hands on to the new one

// The pool: be_0000, be_0001, ...
std::string PoolBackendName(std::size_t number);
bool IsPoolBackend(std::string_view name);
// Those of TCP ports: tcp_01024, one for each port of the declared range.
std::string TcpBackendName(std::uint32_t port);
bool IsTcpBackend(std::string_view name);
// Either: what has instances as its servers.
bool HasInstances(std::string_view backend);

inline constexpr std::uint32_t kPortMax = 65535;

// Lower case letters, digits, '-', '_' and '.', 1 to 253 characters.
bool IsHostName(std::string_view text);
// '/' and up to 1,023 of what a URL's path may have, without ';'; does not end in '/'.
bool IsRoutePath(std::string_view text);
// An instance's actual_id, which names its server: [A-Za-z0-9._:-], 1 to 200 characters.
bool IsServerName(std::string_view text);
// A path that HAProxy reads as one word in a command and in its configuration: absolute, [A-Za-z0-9._/@+-].
bool IsPlainPath(std::string_view text);

// The address as HAProxy prints it ("127.0.0.1", "::1"), or nothing if it is not a literal IP address: HAProxy takes a
// name for a server added at run time, but never resolves it (measured, 2.6.12).
std::optional<std::string> CanonicalAddress(const std::string& address);

}  // namespace baton::router
