// Host ports for instances, out of a range. Goes round the range, so that a port is used again as late as possible: a
// route that is a moment too old must not lead to another app.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace baton::cell {

struct PortRange {
  std::uint32_t first = 61000;
  std::uint32_t last = 62000;  // included
};
// "61000-62000", 1024 to 65535.
std::optional<PortRange> ParsePortRange(const std::string& text);

constexpr std::uint32_t CountOf(const PortRange& range) { return range.last - range.first + 1; }

class Ports {
 public:
  // `is_free` asks the machine; `start` is where to begin, as a distance from the first port.
  Ports(PortRange range, std::function<bool(std::uint32_t)> is_free, std::uint32_t start);

  // All of them, or none if there are not so many.
  std::vector<std::uint32_t> Take(std::size_t count);
  // That no instance has; others of the machine may listen on some of them.
  std::size_t Left() const { return CountOf(range_) - taken_.size(); }
  void Reserve(std::uint32_t port) { taken_.insert(port); }
  void Give(std::uint32_t port) { taken_.erase(port); }

 private:
  PortRange range_;
  std::function<bool(std::uint32_t)> is_free_;
  std::uint32_t next_;
  std::set<std::uint32_t> taken_;
};

// Whether a server could listen there now.
bool CanListen(std::uint32_t port);

}  // namespace baton::cell
