// Waiting in tests: for a condition, up to a deadline; never for a time.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace baton::testing {

inline constexpr std::chrono::milliseconds kPatience{20'000};

// Whether it became true in time.
inline bool WaitUntil(const std::function<bool()>& condition, std::chrono::milliseconds timeout = kPatience) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace baton::testing
