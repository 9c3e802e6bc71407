// Processor time of this process, all threads: steadier than the clock on a shared machine.
#pragma once

#include <chrono>

namespace baton {

class CpuMeter {
 public:
  CpuMeter();
  double cpu_seconds() const;  // since it was made
  double wall_seconds() const;

 private:
  double cpu_at_;
  std::chrono::steady_clock::time_point wall_at_;
};

}  // namespace baton
