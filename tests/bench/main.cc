// baton-bench: ratios and CPU per operation, for people and as JSON. baton-bench [FILE] [--large] [--only PART]
#include <cstdio>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/bench/bench.h"

namespace {

// What docs/03-speed.md asks for: at most, or where it is a rate at least.
const std::map<std::string, double> kReach = {
    {"converge.full.100k_ms", 100},    {"converge.full.250k_ms", 250},
    {"converge.full.1m_ms", 1000},     {"converge.incremental.250k_ms", 10},
    {"failover.kill9.most_ms", 3000},  {"failover.sigterm.most_ms", 1000},
    {"recover.1k.most_ms", 3000},
    {"converge.repair_per_s", 10'000}, {"gc.definitions.250k.nothing_ms", 100},
    {"events.delivery.p99_ms", 15},    {"events.delivery.lost", 0},
    {"migrate.legacy.lrps_per_s", 20'000},
    {"placement.1000_cells.10k_ms", 1000}, {"rotation.rows_per_s", 20'000},
    {"rotation.get_p99_ratio", 2},     {"rotation.memory_mb_at_4x", 16},
    {"upgrade.sync.lrps_per_s", 20'000}, {"upgrade.write_p99_ratio", 2},
    {"upgrade.write_stop_there_ms", 2000}, {"upgrade.write_stop_back_ms", 2000},
    {"upgrade.reads_failed", 0},       {"upgrade.writes_lost", 0},
    {"v1.get_cpu_ratio", 1.3},          {"v1.update_cpu_ratio", 1.3},
    {"v1.list_2k_cpu_ratio", 1.3},
    {"fairness.roll_start_ratio", 2},   {"backpressure.without_hint", 0}};

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
  std::string only;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--large") {
      large = true;
    } else if (argument == "--only" && i + 1 < argc) {
      only = argv[++i];
    } else if (argument.starts_with("-") || !file.empty()) {
      return std::fprintf(stderr, "baton-bench [FILE] [--large] [--only PART]; not \"%s\"\n", argument.c_str()), 2;
    } else {
      file = argument;
    }
  }
  const std::pair<const char*, std::function<baton::Figures()>> parts[] = {
      {"planner", baton::BenchPlanner},
      {"store", baton::BenchStore},
      {"leader", baton::BenchLeader},
      {"recovery", baton::BenchRecovery},
      {"rotation", baton::BenchRotation},
      {"convergence", [large] { return baton::BenchConvergence(large); }},
      {"migration", baton::BenchMigration},
      {"upgrade", baton::BenchUpgrade},
      {"v1", baton::BenchOldApi},
      {"fairness", baton::BenchFairness},
  };
  baton::Figures figures;
  for (const auto& [name, measure] : parts) {
    if (only.empty() || only == name) figures.merge(measure());
  }
  if (figures.empty()) {
    std::string names;
    for (const auto& [name, measure] : parts) names += std::string(names.empty() ? "" : ", ") + name;
    return std::fprintf(stderr, "--only takes one of %s\n", names.c_str()), 2;
  }
  for (const auto& [name, value] : figures) {
    std::printf("%-36s %12.2f%s\n", name.c_str(), value, Verdict(name, value).c_str());
  }
  std::printf("CPU is that of this process: client, server and writer together, PostgreSQL's own not counted; v1: of batond, "
              "upgrade: of batond and PostgreSQL.\n");
  if (!file.empty()) std::ofstream(file) << nlohmann::json(figures).dump(2) << '\n';
  return 0;
}
