// Limits the memory of all requests that are read but not answered yet: a queued call keeps its request. Small requests
// are not counted, so that they get through beside large ones. One caller may hold half of the limit at most.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace baton::bounds {

inline constexpr std::size_t kRequestsBytesMax = 64 << 20;
inline constexpr std::size_t kCallersBytesMax = 32 << 20;  // of one caller, unless LimitCallers
inline constexpr std::size_t kSmallRequestBytes = 4 << 10;

// A share of them, until it goes.
class RequestBytes {
 public:
  RequestBytes() = default;
  RequestBytes(RequestBytes&& other) noexcept : bytes_(std::exchange(other.bytes_, 0)), who_(std::move(other.who_)) {}
  RequestBytes& operator=(RequestBytes&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(who_, other.who_);
    return *this;
  }
  ~RequestBytes();

  struct Room;
  // `who`: the caller; empty: unauthenticated, without a limit of its own.
  static Room Take(std::size_t bytes, const std::string& who = {});
  // Of all.
  static std::size_t Taken();
  // How much one caller may have, from here on.
  static void LimitCallers(std::size_t most);
  static std::size_t CallersMost();

 private:
  RequestBytes(std::size_t bytes, const std::string& who) : bytes_(bytes), who_(who) {}
  std::size_t bytes_ = 0;
  std::string who_;
};

struct RequestBytes::Room {
  std::optional<RequestBytes> taken;  // nothing: there is no room,
  bool of_caller = false;             // for this caller
};

}  // namespace baton::bounds
