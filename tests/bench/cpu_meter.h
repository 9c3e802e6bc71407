// Processor time: steadier than the clock on a shared machine.
#pragma once

#include <sys/types.h>

#include <chrono>

namespace baton::bench {

// Of this process, all threads.
class CpuMeter {
 public:
  CpuMeter();
  double cpu_seconds() const;  // since it was made
  double wall_seconds() const;

 private:
  double cpu_at_;
  std::chrono::steady_clock::time_point wall_at_;
};

// User and system time of another process, in seconds; 0 where it is gone. With children: those that it waited for, and
// those that live.
double CpuSecondsOf(pid_t pid);
double CpuSecondsWithChildren(pid_t pid);

}  // namespace baton::bench
