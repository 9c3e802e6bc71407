// Conditions with deadlines.
#pragma once

#include <chrono>
#include <thread>

namespace baton::router {

// True as soon as `condition` holds, false if it does not within the limit.
template <class Condition>
bool WaitUntil(Condition condition, std::chrono::milliseconds limit = std::chrono::seconds(10)) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace baton::router
