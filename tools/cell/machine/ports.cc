#include "tools/cell/machine/ports.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <charconv>

#include "orchestrator/base/unique_fd.h"

namespace baton::cell {

std::optional<PortRange> ParsePortRange(const std::string& text) {
  PortRange range;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, range.first);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto last = std::from_chars(first.ptr + 1, end, range.last);
  if (last.ec != std::errc() || last.ptr != end) return std::nullopt;
  if (range.first < 1024 || range.last > 65535 || range.first > range.last) return std::nullopt;
  return range;
}

Ports::Ports(PortRange range, std::function<bool(std::uint32_t)> is_free, std::uint32_t start)
    : range_(range), is_free_(std::move(is_free)), next_(range.first + start % (range.last - range.first + 1)) {}

std::vector<std::uint32_t> Ports::Take(std::size_t count) {
  std::vector<std::uint32_t> found;
  const std::uint32_t size = range_.last - range_.first + 1;
  for (std::uint32_t tried = 0; tried < size && found.size() < count; ++tried) {
    const std::uint32_t port = next_;
    next_ = port == range_.last ? range_.first : port + 1;
    if (!taken_.contains(port) && is_free_(port)) found.push_back(port);
  }
  if (found.size() < count) return {};
  taken_.insert(found.begin(), found.end());
  return found;
}

bool CanListen(std::uint32_t port) {
  const UniqueFd probe(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  // As servers do: connections of the past that linger are no hindrance, a listener is.
  const int yes = 1;
  setsockopt(probe.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return bind(probe.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 && listen(probe.get(), 1) == 0;
}

}  // namespace baton::cell
