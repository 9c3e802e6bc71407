#include "tools/stack/free_port.h"

#include <random>
#include <set>

#include "tools/cell/ports.h"
#include "tools/stack/stack_error.h"

namespace baton {
namespace {

constexpr int kFirst = 10'000;
constexpr int kLast = 32'000;  // Linux takes from 32,768 on, if nobody told it otherwise
constexpr int kTries = 1'000;

int Draw(int last) {
  static std::mt19937 random{std::random_device{}()};
  return std::uniform_int_distribution<int>(kFirst, last)(random);
}

}  // namespace

int FreePort(int wanted) {
  static std::set<int> given;  // not bound yet, but promised
  const auto take = [](int port) { return CanListen(static_cast<std::uint32_t>(port)) && given.insert(port).second; };
  if (wanted != 0 && take(wanted)) return wanted;
  for (int i = 0; i < kTries; ++i) {
    if (const int port = Draw(kLast); take(port)) return port;
  }
  throw StackError("no free port between " + std::to_string(kFirst) + " and " + std::to_string(kLast));
}

int PortRangeStart(int count) { return Draw(kLast - count); }

}  // namespace baton
