#include "tests/bench/cpu_meter.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace baton::bench {
namespace {

double ProcessCpu() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// proc(5), stat: fields 4, 14 and 15, 16 and 17.
struct Stat {
  pid_t parent = 0;
  double own = 0;
  double of_children_waited_for = 0;
};

// All zero where it is gone.
Stat Read(const std::string& pid) {
  std::ifstream in("/proc/" + pid + "/stat");
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const auto name_ends = text.rfind(')');
  if (name_ends == std::string::npos) return {};
  std::istringstream fields(text.substr(name_ends + 2));
  Stat stat;
  std::string skipped;
  double user = 0, system = 0, children_user = 0, children_system = 0;
  fields >> skipped >> stat.parent;
  for (int i = 0; i < 9; ++i) fields >> skipped;
  fields >> user >> system >> children_user >> children_system;
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  stat.own = (user + system) / ticks;
  stat.of_children_waited_for = (children_user + children_system) / ticks;
  return stat;
}

}  // namespace

CpuMeter::CpuMeter() : cpu_at_(ProcessCpu()), wall_at_(std::chrono::steady_clock::now()) {}
double CpuMeter::cpu_seconds() const { return ProcessCpu() - cpu_at_; }
double CpuMeter::wall_seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_at_).count();
}

double CpuSecondsOf(pid_t pid) { return Read(std::to_string(pid)).own; }

double CpuSecondsWithChildren(pid_t pid) {
  const Stat parent = Read(std::to_string(pid));
  double seconds = parent.own + parent.of_children_waited_for;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (!std::ranges::all_of(name, [](unsigned char c) { return std::isdigit(c) != 0; })) continue;
    const Stat child = Read(name);
    if (child.parent == pid) seconds += child.own;
  }
  return seconds;
}

}  // namespace baton::bench
