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

constexpr std::size_t kDiscardedAtOnce = 1 << 20;

int PortOf(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  return address.ss_family == AF_INET6 ? ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port) : 0;
}

// `look` gets another name of each descriptor, so that it stays the same one while it is looked at.
template <class Look>
void EachDescriptor(Look look) {
  std::error_code error;
  for (std::filesystem::directory_iterator at("/proc/self/fd", error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    int descriptor = -1;
    std::from_chars(name.data(), name.data() + name.size(), descriptor);
    const int same = descriptor < 0 ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (same < 0) continue;
    look(same);
    close(same);
  }
}

// Empty: it is no connection.
std::string PeerOf(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  return getpeername(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0 ? NameOf(address) : std::string();
}

}  // namespace

int CutConnection(const std::string& peer) {
  int cut = 0;
  if (peer.empty()) return cut;
  EachDescriptor([&](int descriptor) {
    if (PeerOf(descriptor) != peer) return;
    shutdown(descriptor, SHUT_RDWR);
    while (recv(descriptor, nullptr, kDiscardedAtOnce, MSG_TRUNC | MSG_DONTWAIT) > 0) {
    }
    ++cut;
  });
  return cut;
}

std::vector<std::string> PeersAt(int port) {
  std::vector<std::string> peers;
  EachDescriptor([&](int descriptor) {
    sockaddr_storage own{};
    socklen_t size = sizeof(own);
    if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&own), &size) != 0 || PortOf(own) != port) return;
    if (std::string peer = PeerOf(descriptor); !peer.empty()) peers.push_back(std::move(peer));
  });
  return peers;
}

}  // namespace baton::bounds
