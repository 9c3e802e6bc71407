// The memory that all requests of this process take which are read and not answered yet: a call that waits for its turn
// keeps its own. Small ones are not counted, so that who asks for little is heard beside those who do not.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

namespace baton::bounds {

inline constexpr std::size_t kRequestsBytesMost = 64 << 20;
inline constexpr std::size_t kSmallRequestBytes = 4 << 10;

// A share of them, until it goes.
class RequestBytes {
 public:
  RequestBytes() = default;
  RequestBytes(RequestBytes&& other) noexcept : bytes_(std::exchange(other.bytes_, 0)) {}
  RequestBytes& operator=(RequestBytes&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~RequestBytes();

  // Nothing: there is no room.
  static std::optional<RequestBytes> Take(std::size_t bytes);
  // Of all.
  static std::size_t Taken();

 private:
  explicit RequestBytes(std::size_t bytes) : bytes_(bytes) {}
  std::size_t bytes_ = 0;
};

}  // namespace baton::bounds
