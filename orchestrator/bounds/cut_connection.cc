#include "orchestrator/bounds/cut_connection.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <system_error>

namespace baton::bounds {
namespace {

// As gRPC writes it, without escapes: "ipv4:1.2.3.4:5" and "ipv6:[::1]:5", which it escapes ("%5B::1%5D").
std::string NameOf(const sockaddr_storage& address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address.ss_family == AF_INET) {
    const auto& ipv4 = reinterpret_cast<const sockaddr_in&>(address);
    inet_ntop(AF_INET, &ipv4.sin_addr, text, sizeof(text));
    return std::string("ipv4:") + text + ":" + std::to_string(ntohs(ipv4.sin_port));
  }
  if (address.ss_family != AF_INET6) return {};
  const auto& ipv6 = reinterpret_cast<const sockaddr_in6&>(address);
  if (IN6_IS_ADDR_V4MAPPED(&ipv6.sin6_addr)) {  // gRPC listens on both with one socket, and names what it means
    inet_ntop(AF_INET, &ipv6.sin6_addr.s6_addr[12], text, sizeof(text));
    return std::string("ipv4:") + text + ":" + std::to_string(ntohs(ipv6.sin6_port));
  }
  inet_ntop(AF_INET6, &ipv6.sin6_addr, text, sizeof(text));
  return std::string("ipv6:%5B") + text + "%5D:" + std::to_string(ntohs(ipv6.sin6_port));
}

// Another name of the descriptor, so that it stays the same connection while it is looked at and ended.
bool CutIfItIs(int descriptor, const std::string& peer) {
  const int same = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (same < 0) return false;
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  const bool is_it = getpeername(same, reinterpret_cast<sockaddr*>(&address), &size) == 0 && NameOf(address) == peer;
  if (is_it) shutdown(same, SHUT_RDWR);
  close(same);
  return is_it;
}

}  // namespace

int CutConnection(const std::string& peer) {
  if (peer.empty()) return 0;
  std::error_code error;
  int cut = 0;
  for (std::filesystem::directory_iterator at("/proc/self/fd", error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    int descriptor = -1;
    std::from_chars(name.data(), name.data() + name.size(), descriptor);
    if (descriptor >= 0) cut += CutIfItIs(descriptor, peer) ? 1 : 0;
  }
  return cut;
}

}  // namespace baton::bounds
