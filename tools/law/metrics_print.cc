#include "orchestrator/model/calls/metrics_table.h"
#include "tools/law/law_print.h"

namespace baton::law {
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

std::string RowsOf(std::span<const Metric> table) {
  std::string rows = "| metric | type | labels | what it says |\n|---|---|---|---|\n";
  for (const Metric& metric : table) {
    std::string labels = metric.label;
    if (const std::size_t comma = labels.find(','); comma != labels.npos) labels.replace(comma, 1, "`, `");
    rows += std::string("| `") + metric.name + "` | " + TypeOf(metric.kind) + " | " +
            (labels.empty() ? "" : "`" + labels + "` ") + "| " + metric.help + " |\n";
  }
  return rows;
}

}  // namespace

std::string PrintMetrics() {
  std::string page =
      "# Metrics\n\n"
      "Printed by `build/bin/baton-law metrics` from the tables in `orchestrator/model/calls/metrics_table.cc`; a test "
      "compares.\n\n"
      "batond serves its own to Prometheus on `--metrics` (127.0.0.1:9891); `baton-cell run` and `baton-router run` "
      "theirs "
      "where\n"
      "`--metrics ADDRESS` says so. Each says of its process what Prometheus' own clients do:\n"
      "`process_cpu_seconds_total`, `process_resident_memory_bytes`, `process_virtual_memory_bytes`, "
      "`process_open_fds`,\n"
      "`process_max_fds`, `process_start_time_seconds`. What counts rolls, instances, slots, cells and routes is the "
      "leader's; a\n"
      "standby says 0, so the sum over a pair is right. Who is paged by what: [Running the "
      "service](../guide/02-operating.md).\n\n";
  page += "## batond\n\n" + RowsOf(MetricsTable());
  page += "\n## baton-cell\n\n" + RowsOf(CellMetricsTable());
  page += "\n## baton-router\n\n" + RowsOf(RouterMetricsTable());
  return page;
}

}  // namespace baton::law
