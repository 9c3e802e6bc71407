// The ports on which this router takes TCP connections: a range that is declared, for HAProxy cannot be told to listen
// on one more while it runs. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::router {

struct TcpPorts {
  std::string listen;  // the address, as in HAProxy's `bind` before the port; may be empty: all
  std::uint32_t from = 0;
  std::uint32_t to = 0;  // with it

  bool any() const { return from != 0; }
  bool Has(std::uint32_t port) const { return any() && from <= port && port <= to; }
};

// Each port is a listener and some kilobytes of HAProxy (measured: a start or a reload with 1,000 takes 0.5 to 0.7 s, with
// 5,000 2 s).
inline constexpr std::uint32_t kTcpPortsMax = 5000;

// "1024-1123" or "1024"; nothing if it is neither, or more than kTcpPortsMax.
std::optional<TcpPorts> ParseTcpPorts(std::string_view text);

// Of an address as in HAProxy's `bind` ("127.0.0.1:8080", ":80", "[::1]:80"): what is before the port, and the port.
// Nothing for one without a port (a socket's path) or several.
std::optional<std::string> HostOfBind(std::string_view bind);
std::uint32_t PortOfBind(std::string_view bind);  // 0: not to be told

}  // namespace baton::router
