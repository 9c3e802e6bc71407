#include "orchestrator/server/callers/caller_name.h"

namespace baton {
namespace {

std::string_view Trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(' ');
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(' ') - from + 1);
}

std::string Printable(std::string_view text) {
  std::string name(Trimmed(text.substr(0, kCallerNameMax)));
  for (char& c : name) {
    if (c < 0x20 || c > 0x7E) c = '?';
  }
  return name;
}

// "ipv4:10.0.0.1:4711" is "10.0.0.1", "ipv6:%5B::1%5D:4711" is "::1". Of a Unix socket nothing is known but that it is one.
std::string Address(std::string_view peer) {
  if (peer.starts_with("unix:")) return "unix";
  const std::size_t scheme = peer.find(':');
  const std::size_t port = peer.rfind(':');
  if (scheme == peer.npos || port <= scheme) return std::string(peer);
  std::string_view host = peer.substr(scheme + 1, port - scheme - 1);
  for (const auto& [open, close] : {std::pair{"%5B", "%5D"}, std::pair{"[", "]"}}) {
    if (host.starts_with(open)) host.remove_prefix(std::string_view(open).size());
    if (host.ends_with(close)) host.remove_suffix(std::string_view(close).size());
  }
  return std::string(host);
}

// Its own words: up to the one that is gRPC's.
std::string_view OwnWords(std::string_view agent) {
  return agent.starts_with("grpc-") ? std::string_view() : agent.substr(0, agent.find(" grpc-"));
}

}  // namespace

std::string CallerName(std::string_view actor, std::string_view user_agent, std::string_view peer) {
  if (std::string name = Printable(actor); !name.empty()) return name;
  if (std::string name = Printable(OwnWords(user_agent)); !name.empty()) return name;
  const std::string_view library = user_agent.substr(0, user_agent.find(' '));
  std::string name = Printable(std::string(library.substr(0, kCallerNameMax / 2)) + " " + Address(peer));
  return name.empty() ? "unknown" : name;
}

}  // namespace baton
