#include "tools/metrics/process_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>

namespace baton {
namespace {

prometheus::MetricFamily Of(const char* name, const char* help, prometheus::MetricType type, double value) {
  prometheus::ClientMetric metric;
  (type == prometheus::MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
  return {name, help, type, {metric}};
}

// Times in ticks, the start since the machine's; proc(5).
struct Stat {
  double cpu_ticks = 0, start_ticks = 0, virtual_bytes = 0, resident_pages = 0;
};

std::optional<Stat> ReadStat() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  const std::size_t name_end = line.rfind(')');  // the program's name may hold anything
  if (name_end == line.npos) return std::nullopt;
  std::istringstream rest(line.substr(name_end + 1));
  const std::vector<std::string> fields{std::istream_iterator<std::string>(rest), {}};
  // The first here is the third of proc(5).
  constexpr std::size_t kUser = 11, kSystem = 12, kStart = 19, kVirtual = 20, kResident = 21;
  if (fields.size() <= kResident) return std::nullopt;
  const auto number = [&](std::size_t at) { return std::strtod(fields[at].c_str(), nullptr); };
  return Stat{number(kUser) + number(kSystem), number(kStart), number(kVirtual), number(kResident)};
}

// Seconds since 1970 when the machine started.
std::optional<double> BootTime() {
  std::ifstream file("/proc/stat");
  for (std::string word; file >> word;) {
    double at = 0;
    if (word == "btime" && file >> at) return at;
  }
  return std::nullopt;
}

}  // namespace

std::vector<prometheus::MetricFamily> ProcessMetrics() {
  using Type = prometheus::MetricType;
  std::vector<prometheus::MetricFamily> families;
  if (const auto stat = ReadStat()) {
    const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
    families.push_back(
        Of("process_cpu_seconds_total", "Processor time, of user and system", Type::Counter, stat->cpu_ticks / ticks));
    families.push_back(Of("process_virtual_memory_bytes", "Virtual memory", Type::Gauge, stat->virtual_bytes));
    families.push_back(Of("process_resident_memory_bytes", "Resident memory", Type::Gauge,
                          stat->resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE))));
    if (const auto boot = BootTime()) {
      families.push_back(Of("process_start_time_seconds", "When it started, in seconds since 1970", Type::Gauge,
                            *boot + stat->start_ticks / ticks));
    }
  }
  std::error_code error;
  const std::filesystem::directory_iterator open("/proc/self/fd", error);
  if (!error) {
    const auto count = std::distance(begin(open), end(open)) - 1;  // without the directory itself
    families.push_back(Of("process_open_fds", "Open file descriptors", Type::Gauge, static_cast<double>(count)));
  }
  if (rlimit most{}; getrlimit(RLIMIT_NOFILE, &most) == 0) {
    families.push_back(Of("process_max_fds", "How many it may have", Type::Gauge, static_cast<double>(most.rlim_cur)));
  }
  return families;
}

}  // namespace baton
