#include "tests/bench/target.h"

namespace baton::bench {
namespace {

using Of = Target::Of;
using Way = Target::Way;

constexpr Of kValue = Of::kValue;
constexpr Of kP99 = Of::kP99;
constexpr Of kMemory = Of::kMemory;
constexpr Way kAtMax = Way::kAtMax;
constexpr Way kAtMin = Way::kAtMin;

// A demand of nothing: nothing may be lost.
double Ratio(const Target& target, double reached) {
  if (target.way == kAtMin) return reached / target.asked;
  if (reached == target.asked) return 1;
  return reached == 0 ? target.asked : target.asked / reached;
}

constexpr Target kTargets[] = {
    {"update.definition.c16", kValue, kAtMin, 6000, "619 (annotation and routes only)"},
    {"update.definition.c16", kP99, kAtMax, 10, "56"},
    {"update.definition.c256", kValue, kAtMin, 12'000, ""},
    {"lifecycle.claim.c16", kValue, kAtMin, 8000, "1754"},
    {"lifecycle.start.c16", kValue, kAtMin, 8000, "1714"},
    {"lifecycle.report.stream", kValue, kAtMin, 20'000, ""},
    {"desire.c16", kValue, kAtMin, 5000, "1122"},
    {"get.c16", kValue, kAtMin, 20'000, "3409"},
    {"list.scheduling.100k", kValue, kAtMax, 500, "1980"},
    {"list.desired.100k", kValue, kAtMax, 900, "4283"},
    {"list.actual.100k", kValue, kAtMax, 120, "706"},
    {"list.scheduling.100k.more_memory_mb", kValue, kAtMax, 32, "1100"},
    {"list.desired.100k.more_memory_mb", kValue, kAtMax, 32, "1100"},
    {"list.actual.100k.more_memory_mb", kValue, kAtMax, 32, "1100"},
    {"converge.full.100k", kValue, kAtMax, 100, "4023"},
    {"converge.full.250k", kValue, kAtMax, 250, ""},
    {"converge.full.1m", kValue, kAtMax, 1000, ""},
    {"converge.incremental.250k", kValue, kAtMax, 10, ""},
    {"converge.repair", kValue, kAtMin, 10'000, "1570"},
    {"gc.definitions.250k", kValue, kAtMax, 100, ""},
    {"roll.many", kValue, kAtMin, 2000, "195 (a Cloud Controller's way on it)"},
    {"roll.step.latency.1", kP99, kAtMax, 20, ""},
    {"roll.step.latency.100", kP99, kAtMax, 20, ""},
    {"roll.step.latency.1000", kP99, kAtMax, 50, ""},
    {"roll.overhead", kValue, kAtMax, 1.05, ""},
    {"events.delivery", kP99, kAtMax, 15, "38.6"},
    {"events.delivery.lost", kValue, kAtMax, 0, "0"},
    {"failover.kill9", kValue, kAtMax, 3000, "14100"},
    {"failover.sigterm", kValue, kAtMax, 1000, "80"},
    {"failover.kill9.10k_apps", kValue, kAtMax, 2100, ""},
    {"failover.sigterm.10k_apps", kValue, kAtMax, 1000, ""},
    {"failover.kill9.1m_apps", kValue, kAtMax, 2100, ""},
    {"failover.sigterm.1m_apps", kValue, kAtMax, 1000, ""},
    {"recover.1k", kValue, kAtMax, 3000, ""},
    {"dump.250k", kValue, kAtMax, 5000, ""},
    {"dump.250k", kMemory, kAtMax, 64, ""},
    {"startup.empty", kValue, kAtMax, 150, "45"},
    {"startup.1m_apps", kValue, kAtMax, 9000, ""},
    {"startup.1m_apps.app_kb", kValue, kAtMax, 3, ""},
    {"startup.250k_apps.app_kb", kValue, kAtMax, 3, ""},
    {"idle.10k_apps.cpu_percent", kValue, kAtMax, 1, ""},
    {"growth.list.scheduling_ratio", kValue, kAtMax, 1.3, ""},
    {"growth.list.desired_ratio", kValue, kAtMax, 1.3, ""},
    {"growth.list.actual_ratio", kValue, kAtMax, 1.3, ""},
    {"growth.converge.full_ratio", kValue, kAtMax, 1.3, ""},
    {"growth.gc.definitions_ratio", kValue, kAtMax, 1.3, ""},
    {"growth.dump_ratio", kValue, kAtMax, 1.3, ""},
    {"growth.roll.one_app_ratio", kValue, kAtMax, 1.3, ""},
    {"fairness.roll_start_ratio", kValue, kAtMax, 2, ""},
    {"fairness.roll_start_beside_rolls_ratio", kValue, kAtMax, 2, ""},
    {"fairness.rolls_beside_rejected_ratio", kValue, kAtMax, 1.1, ""},
    {"backpressure.without_hint", kValue, kAtMax, 0, ""},
    {"backpressure.lost", kValue, kAtMax, 0, ""},
    {"backpressure.rolls_stuck", kValue, kAtMax, 0, ""},
    {"migrate.legacy.lrps_per_s", kValue, kAtMin, 20'000, ""},
    {"placement.1000_cells.10k_ms", kValue, kAtMax, 1000, ""},
    {"rotation.rows_per_s", kValue, kAtMin, 20'000, "1600"},
    {"rotation.get_p99_ratio", kValue, kAtMax, 2, ""},
    {"rotation.memory_mb_at_4x", kValue, kAtMax, 16, ""},
    {"upgrade.sync.lrps_per_s", kValue, kAtMin, 20'000, ""},
    {"upgrade.write_p99_ratio", kValue, kAtMax, 2, ""},
    {"upgrade.write_stop_there_ms", kValue, kAtMax, 2000, ""},
    {"upgrade.write_stop_back_ms", kValue, kAtMax, 2000, ""},
    {"upgrade.reads_failed", kValue, kAtMax, 0, ""},
    {"upgrade.writes_lost", kValue, kAtMax, 0, ""},
    {"tls.ping_throughput_ratio", kValue, kAtMin, 0.85, ""},
    {"tls.get_throughput_ratio", kValue, kAtMin, 0.85, ""},
    {"tls.update_throughput_ratio", kValue, kAtMin, 0.85, ""},
    {"tls.ping_p50_ratio", kValue, kAtMax, 1.25, ""},
    {"tls.get_p50_ratio", kValue, kAtMax, 1.25, ""},
    {"tls.update_p50_ratio", kValue, kAtMax, 1.25, ""},
    {"tls.handshakes_of_a_core_per_s", kValue, kAtMin, 300, ""},
    {"web.open_ms", kValue, kAtMax, 1000, ""},
    {"web.open_1m_ms", kValue, kAtMax, 3000, ""},
    {"web.memory_mb", kValue, kAtMax, 120, ""},
    {"web.changes_cpu_percent", kValue, kAtMax, 15, ""},
    {"web.batond_cpu_100_pages_ratio", kValue, kAtMax, 1.05, ""},
    {"web.away_ms", kValue, kAtMax, 1000, ""},
    {"web.back_ms", kValue, kAtMax, 3000, ""},
    {"v1.get_cpu_ratio", kValue, kAtMax, 1.15, ""},
    {"v1.update_cpu_ratio", kValue, kAtMax, 1.15, ""},
    {"v1.list_2k_cpu_ratio", kValue, kAtMax, 1.3, ""},
};

}  // namespace

const std::vector<Target>& Targets() {
  static const std::vector<Target> kAll(std::begin(kTargets), std::end(kTargets));
  return kAll;
}

std::vector<Verdict> Judge(const std::string& name, const Figure& figure) {
  std::vector<Verdict> verdicts;
  for (const Target& target : Targets()) {
    if (target.name != name) continue;
    const std::optional<double> reached = target.of == kP99      ? figure.p99
                                          : target.of == kMemory ? figure.rss_mb
                                                                 : std::optional<double>(figure.value);
    if (!reached) continue;
    const bool reach = target.way == kAtMin ? *reached >= target.asked : *reached <= target.asked;
    verdicts.push_back({&target, *reached, reach, Ratio(target, *reached)});
  }
  return verdicts;
}

}  // namespace baton::bench
