#include "tests/bench/cpu_meter.h"

#include <ctime>

#include "tools/shim/process_table.h"

namespace baton::bench {
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

double CpuSecondsOf(pid_t pid) {
  const auto stat = shim::ReadStat(pid);
  return stat ? stat->cpu_seconds : 0;
}

double CpuSecondsWithChildren(pid_t pid) {
  double seconds = 0;
  for (const shim::ProcessStat& stat : shim::AllProcesses()) {
    if (stat.identity.pid == pid) seconds += stat.cpu_seconds + stat.children_cpu_seconds;
    if (stat.parent == pid) seconds += stat.cpu_seconds;
  }
  return seconds;
}

}  // namespace baton::bench
