#include "tools/stack/free_port.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>

#include "tools/cell/machine/ports.h"
#include "tools/stack/stack_error.h"

namespace baton::stack {
namespace {

constexpr int kFirst = 10'000;
constexpr int kLast = 32'000;  // Linux assigns from 32,768 on by default
constexpr int kRanges = 11;
constexpr int kOfARange = (kLast - kFirst) / kRanges;
constexpr int kTries = 1'000;

struct Range {
  int first = kFirst;
  int last = kLast;  // one past it
  int Middle() const { return (first + last) / 2; }
};

// Stacks run beside each other, and a port of one is free while its part is down. So each process has a range of its
// own: its name is an abstract socket, which goes with the process. More processes than ranges share all of them. Its
// lower half is for single ports: a cell of the same stack would hand one out of its row that is promised and not bound.
Range TakeRange() {
  for (int number = 0; number < kRanges; ++number) {
    const int claim = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (claim < 0) break;
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    const std::string text = "baton-ports-" + std::to_string(number);
    std::memcpy(name.sun_path + 1, text.data(), text.size());  // the first byte is 0: no file
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
    if (bind(claim, reinterpret_cast<const sockaddr*>(&name), size) == 0) {  // kept open until the process ends
      return {kFirst + number * kOfARange, kFirst + (number + 1) * kOfARange};
    }
    close(claim);
  }
  return {};
}

const Range& OwnRange() {
  static const Range range = TakeRange();
  return range;
}

// One of [range.first, range.last - count].
int Draw(const Range& range, int count) {
  static std::mt19937 random{std::random_device{}()};
  return std::uniform_int_distribution<int>(range.first, range.last - count)(random);
}

}  // namespace

int FreePort(int wanted) {
  static std::set<int> given;  // not bound yet, but promised
  const auto take = [](int port) {
    return cell::CanListen(static_cast<std::uint32_t>(port)) && given.insert(port).second;
  };
  if (wanted != 0 && take(wanted)) return wanted;
  for (int i = 0; i < kTries; ++i) {
    if (const int port = Draw({OwnRange().first, OwnRange().Middle()}, 1); take(port)) return port;
  }
  throw StackError("no free port between " + std::to_string(OwnRange().first) + " and " + std::to_string(OwnRange().last));
}

int PortRangeStart(int count) {
  const Range upper{OwnRange().Middle(), OwnRange().last};
  return Draw(count <= upper.last - upper.first ? upper : Range{}, count);
}

}  // namespace baton::stack
