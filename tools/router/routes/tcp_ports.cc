#include "tools/router/routes/tcp_ports.h"

#include <charconv>

#include "tools/router/routes/naming.h"

namespace baton::router {
namespace {

// 1 to 65535, or 0 if it is none.
std::uint32_t ReadPort(std::string_view text) {
  std::uint32_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port > kPortMax) return 0;
  return port;
}

}  // namespace

std::optional<TcpPorts> ParseTcpPorts(std::string_view text) {
  const std::size_t dash = text.find('-');
  TcpPorts ports;
  ports.from = ReadPort(text.substr(0, dash));
  ports.to = dash == std::string_view::npos ? ports.from : ReadPort(text.substr(dash + 1));
  if (ports.from == 0 || ports.to < ports.from || ports.to - ports.from >= kTcpPortsMax) return std::nullopt;
  return ports;
}

std::optional<std::string> HostOfBind(std::string_view bind) {
  if (PortOfBind(bind) == 0) return std::nullopt;
  return std::string(bind.substr(0, bind.rfind(':')));
}

std::uint32_t PortOfBind(std::string_view bind) {
  const std::size_t colon = bind.rfind(':');
  if (colon == std::string_view::npos || bind.find_first_of(",@/") != std::string_view::npos) return 0;
  return ReadPort(bind.substr(colon + 1));
}

}  // namespace baton::router
