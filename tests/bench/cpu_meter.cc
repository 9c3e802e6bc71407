#include "tests/bench/cpu_meter.h"

#include <ctime>

namespace baton {
namespace {

double ProcessCpu() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace

CpuMeter::CpuMeter() : cpu_at_(ProcessCpu()), wall_at_(std::chrono::steady_clock::now()) {}
double CpuMeter::cpu_seconds() const { return ProcessCpu() - cpu_at_; }
double CpuMeter::wall_seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_at_).count();
}

}  // namespace baton
