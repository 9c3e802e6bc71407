#include "orchestrator/model/calls/socket_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <charconv>

namespace baton {

std::optional<IpAddress> IpAddressOf(const sockaddr& address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address.sa_family == AF_INET) {
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(address).sin_addr, text, sizeof(text));
  } else if (address.sa_family == AF_INET6) {
    inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, text, sizeof(text));
  }
  return IpAddress::From(text);
}

std::string TextOf(const IpAddress& address) {
  char text[INET6_ADDRSTRLEN] = "";
  in6_addr v6{};
  static_assert(sizeof v6 == sizeof address.bytes);
  std::copy(address.bytes.begin(), address.bytes.end(), v6.s6_addr);
  if (IN6_IS_ADDR_V4MAPPED(&v6)) {
    inet_ntop(AF_INET, &v6.s6_addr[12], text, sizeof(text));
  } else {
    inet_ntop(AF_INET6, &v6, text, sizeof(text));
  }
  return text;
}

bool IsHostAndPort(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return false;
  unsigned port = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data() + colon + 1, end, port);
  return fault == std::errc() && rest == end && port <= 65'535;
}

bool IsOnLoopback(const std::string& host_and_port) {
  const std::string host = host_and_port.substr(0, host_and_port.rfind(':'));
  in_addr v4{};
  const bool is_v4 = inet_pton(AF_INET, host.c_str(), &v4) == 1;
  return host == "localhost" || host == "[::1]" || (is_v4 && ntohl(v4.s_addr) >> 24 == 127);
}

}  // namespace baton
