// Limits log lines per second, so that an external client that causes log lines cannot fill the disk.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace baton {

// Thread-safe.
class LineRate {
 public:
  using Instant = std::chrono::steady_clock::time_point;

  explicit LineRate(std::int64_t most_a_second) : most_(most_a_second) {}

  struct Answer {
    bool may = false;
    std::int64_t dropped = 0;  // since the last line of this name that was let pass; 0 where this one is not
  };
  // Of a line of that name, which it counts. There are as many names as the source has places that write.
  Answer Ask(std::string_view name, Instant now);
  // Lines that were dropped and not told of yet, by name.
  std::map<std::string, std::int64_t> TakeDropped();

 private:
  struct Second {
    Instant began;
    std::int64_t lines = 0;
    std::int64_t dropped = 0;
  };
  const std::int64_t most_;
  std::mutex mutex_;
  std::map<std::string, Second, std::less<>> seconds_;
};

}  // namespace baton
