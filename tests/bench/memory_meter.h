// Resident memory of another process, in MB (2^20 bytes).
#pragma once

#include <sys/types.h>

namespace baton::bench {

double MemoryMb(pid_t pid);
// The most since the process began, or since ForgetPeak.
double PeakMemoryMb(pid_t pid);
void ForgetPeak(pid_t pid);

}  // namespace baton::bench
