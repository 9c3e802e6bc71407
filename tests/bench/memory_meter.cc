#include "tests/bench/memory_meter.h"

#include <fstream>
#include <string>

namespace baton::bench {
namespace {

// proc(5), status: "VmHWM:     1234 kB"; 0 where the process is gone.
double Field(pid_t pid, const std::string& name) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name)) return std::stod(line.substr(name.size())) / 1024;
  }
  return 0;
}

}  // namespace

double MemoryMb(pid_t pid) { return Field(pid, "VmRSS:"); }
double PeakMemoryMb(pid_t pid) { return Field(pid, "VmHWM:"); }

void ForgetPeak(pid_t pid) { std::ofstream("/proc/" + std::to_string(pid) + "/clear_refs") << 5; }

}  // namespace baton::bench
