#include "orchestrator/model/metrics_table.h"
#include "tools/law/law_print.h"

namespace baton {
namespace {

const char* TypeOf(MetricKind kind) {
  switch (kind) {
    case MetricKind::kCounter: return "counter";
    case MetricKind::kGauge: return "gauge";
    case MetricKind::kHistogram:
    case MetricKind::kLongHistogram: return "histogram";
  }
  return "";
}

}  // namespace

std::string PrintMetrics() {
  std::string page =
      "# Metrics\n\n"
      "Printed by `build/bin/baton-law metrics` from the table in `orchestrator/model/metrics_table.cc`; a test "
      "compares.\n\n"
      "batond serves these to Prometheus on `--metrics` (127.0.0.1:9891), and of its process what Prometheus' own "
      "clients\n"
      "do: `process_cpu_seconds_total`, `process_resident_memory_bytes`, `process_virtual_memory_bytes`, "
      "`process_open_fds`,\n"
      "`process_max_fds`, `process_start_time_seconds`. What counts rolls, instances, slots, cells and routes is the "
      "leader's; a\n"
      "standby says 0, so the sum over a pair is right. Who is paged by what: [Running the "
      "service](02-operating.md).\n\n"
      "| metric | type | labels | what it says |\n|---|---|---|---|\n";
  for (const Metric& metric : MetricsTable()) {
    std::string labels = metric.label;
    if (const std::size_t comma = labels.find(','); comma != labels.npos) labels.replace(comma, 1, "`, `");
    page += std::string("| `") + metric.name + "` | " + TypeOf(metric.kind) + " | " +
            (labels.empty() ? "" : "`" + labels + "` ") + "| " + metric.help + " |\n";
  }
  return page;
}

}  // namespace baton
