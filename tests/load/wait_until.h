// Waiting for a load to have come so far.
#pragma once

#include <chrono>
#include <thread>

#include "tools/load/load.h"

namespace baton::load {

// Looks every 5 ms, so as not to take the load's CPU; false: not within 20 s of its start.
template <typename Condition>
bool WaitUntil(const Load& load, Condition condition) {
  while (!condition(load.Snapshot())) {
    if (load.NowMs() > 20'000) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace baton::load
