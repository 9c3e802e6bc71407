// Time on this machine. Only for waiting: what is decided, is decided by the database's clock.
#pragma once

#include <chrono>

namespace baton {

using SteadyPoint = std::chrono::steady_clock::time_point;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual SteadyPoint Now() const = 0;
};

}  // namespace baton
