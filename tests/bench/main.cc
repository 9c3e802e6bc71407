// baton-bench: ratios and CPU per operation, for people and as JSON. baton-bench [FILE] [--large]
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/bench/bench.h"

namespace {

// What docs/03-speed.md asks for: at most, or where it is a rate at least.
const std::map<std::string, double> kReach = {
    {"converge.full.100k_ms", 100},    {"converge.full.250k_ms", 250},
    {"converge.full.1m_ms", 1000},     {"converge.incremental.250k_ms", 10},
    {"converge.repair_per_s", 10'000}, {"gc.definitions.250k.nothing_ms", 100},
    {"events.delivery.p99_ms", 15},    {"events.delivery.lost", 0},
    {"migrate.legacy.lrps_per_s", 20'000},
    {"placement.1000_cells.10k_ms", 1000}};

std::string Verdict(const std::string& name, double value) {
  const auto reach = kReach.find(name);
  if (reach == kReach.end()) return "";
  const bool rate = name.ends_with("_per_s");
  const bool reached = rate ? value >= reach->second : value <= reach->second;
  char text[64];
  std::snprintf(text, sizeof text, "  %s (asked: %s %g)", reached ? "reach" : "short", rate ? ">=" : "<=", reach->second);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  bool large = false;
  std::string file;
  for (int i = 1; i < argc; ++i) argv[i] == std::string("--large") ? void(large = true) : void(file = argv[i]);
  baton::Figures figures = baton::BenchPlanner();
  figures.merge(baton::BenchStore());
  figures.merge(baton::BenchConvergence(large));
  figures.merge(baton::BenchMigration());
  for (const auto& [name, value] : figures) {
    std::printf("%-36s %12.2f%s\n", name.c_str(), value, Verdict(name, value).c_str());
  }
  std::printf("CPU is that of this process: client, server and writer together, PostgreSQL's own not counted.\n");
  if (!file.empty()) std::ofstream(file) << nlohmann::json(figures).dump(2) << '\n';
  return 0;
}
