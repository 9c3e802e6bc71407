// Waits for a condition by polling: it depends on other processes, which send no notification.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>

#include "tools/stack/stack_error.h"

namespace baton::stack {

inline constexpr std::chrono::milliseconds kPollInterval{20};

// Returns early on a stop request.
inline void Rest(std::chrono::milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any().wait_for(lock, stop, time, [] { return false; });
}

// True when it holds; false when it did not within the limit. Interrupted on a stop request.
inline bool WaitFor(std::chrono::milliseconds limit, const std::stop_token& stop, const std::function<bool()>& holds) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!holds()) {
    if (stop.stop_requested()) throw Interrupted();
    if (std::chrono::steady_clock::now() >= deadline) return false;
    Rest(kPollInterval, stop);
  }
  return true;
}

}  // namespace baton::stack
