// What Baton takes when nothing happens: to start, to be there, and for each app and follower.
#include <filesystem>

#include "orchestrator/base/check.h"
#include "tests/bench/bench.h"
#include "tests/bench/many_apps.h"
#include "tests/bench/memory_meter.h"
#include "tests/bench/rig.h"
#include "tests/bench/shapes.h"
#include "tests/bench/subscribers.h"
#include "tools/stack/stack.h"
#include "tools/stack/wait_for.h"

namespace baton::bench {
namespace {

constexpr int kIdleApps = 10'000;
constexpr int kFollowers = 10'000;
constexpr int kStarts = 5;
constexpr std::chrono::seconds kIdle{10};
const std::vector<std::string> kLongLease{"--cell-lease-ms", "3600000"};

void StartAndStop(Rig& rig, const std::string& with, Figures& figures) {
  std::vector<double> start, stop;
  for (int i = 0; i < kStarts; ++i) {
    start.push_back(rig.StartBatond(kLongLease));
    stop.push_back(rig.StopBatond());
  }
  figures["startup." + with] = MedianOf(start, "ms");
  figures["stop." + with] = MedianOf(stop, "ms");
}

// Percent of a core, of batond, while nobody asks it anything.
Figure IdlePercent(Rig& rig) {
  const Usage usage(rig);
  stack::Rest(kIdle, {});
  const double wall = usage.wall_seconds();
  Figure figure(100 * usage.service_seconds() / wall);
  figure.rss_mb = MemoryMb(rig.batond_pid());
  return figure;
}

// What `ldd` names, and the program: what an image would have to hold beside a shell and a system's files.
double ImageMb(const std::string& program) {
  double bytes = static_cast<double>(std::filesystem::file_size(program));
  FILE* libraries = popen(("ldd " + program + " | awk '$3 ~ /^\\// { print $3 }'").c_str(), "r");
  CHECK(libraries);
  char line[512];
  while (std::fscanf(libraries, "%511s", line) == 1) bytes += static_cast<double>(std::filesystem::file_size(line));
  CHECK(pclose(libraries) == 0);
  return bytes / (1 << 20);
}

}  // namespace

Figures BenchIdle(const BenchSize& size) {
  Figures figures;
  Rig rig;
  rig.StartBatond(kLongLease);  // the first one makes the tables
  rig.StopBatond();
  StartAndStop(rig, "empty", figures);
  rig.StartBatond(kLongLease);
  const double empty = MemoryMb(rig.batond_pid());
  figures["idle.empty.rss_mb"] = empty;
  rig.StopBatond();
  MakeTemplate(rig.postgres().url(), LightApp("template"));
  Clone(rig.postgres().url(), 0, kIdleApps);
  StartAndStop(rig, "10k_apps", figures);
  rig.StartBatond(kLongLease);
  rig.AwaitQuiet();  // what a new leader looks at first is over
  figures["idle.10k_apps.cpu_percent"] = IdlePercent(rig);
  figures["idle.app_kb"] = (MemoryMb(rig.batond_pid()) - empty) * 1024 / kIdleApps;
  if (!size.quick) {
    const double before = MemoryMb(rig.batond_pid());
    Subscribers followers(rig, kFollowers, 0);
    figures["idle.follower_kb"] = (MemoryMb(rig.batond_pid()) - before) * 1024 / kFollowers;
    figures["idle.10k_followers.cpu_percent"] = IdlePercent(rig);
  }
  for (const std::string program : {"batond", "baton", "baton-cell", "baton-router", "baton-definitions"}) {
    figures["size." + program + "_mb"] =
        static_cast<double>(std::filesystem::file_size(stack::OwnDirectory() + "/" + program)) / (1 << 20);
  }
  figures["size.image_of_batond_mb"] = ImageMb(stack::OwnDirectory() + "/batond");
  return figures;
}

}  // namespace baton::bench
