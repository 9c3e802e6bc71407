#include <cctype>
#include <sstream>
#include <string>
#include <vector>

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

std::vector<std::string> PartsOf(const char* list) {
  std::vector<std::string> parts;
  std::istringstream rest(list);
  for (std::string part; std::getline(rest, part, ',');) parts.push_back(part);
  return parts;
}

// To its place in the runbook.
std::string LinkTo(const std::string& alert) {
  std::string anchor;
  for (const char c : alert) anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return "[" + alert + "](../guide/monitoring.md#" + anchor + ")";
}

std::string RowsOf(std::span<const Metric> table) {
  std::string rows = "| metric | type | labels | what it says | alerts |\n|---|---|---|---|---|\n";
  for (const Metric& metric : table) {
    std::string labels, alerts;
    for (const std::string& label : PartsOf(metric.label)) labels += (labels.empty() ? "`" : ", `") + label + "`";
    for (const std::string& alert : PartsOf(metric.alerts)) alerts += (alerts.empty() ? "" : ", ") + LinkTo(alert);
    rows += std::string("| `") + metric.name + "` | " + TypeOf(metric.kind) + " | " + labels +
            (labels.empty() ? "" : " ") + "| " + metric.help + " | " + alerts + (alerts.empty() ? "" : " ") + "|\n";
  }
  return rows;
}

}  // namespace

std::string PrintMetrics() {
  std::string page =
      "# Metrics\n\n"
      "Printed by `build/bin/baton-law metrics` from the tables in `orchestrator/model/calls/metrics_table.cc`; a test "
      "compares.\n\n"
      "batond serves its own to Prometheus on `--metrics` (127.0.0.1:9891); `baton-cell run`, `baton-router run` and "
      "`baton-web run` theirs where\n"
      "`--metrics ADDRESS` says so. Each says of its process what Prometheus' own clients do:\n"
      "`process_cpu_seconds_total`, `process_resident_memory_bytes`, `process_virtual_memory_bytes`, "
      "`process_open_fds`,\n"
      "`process_max_fds`, `process_start_time_seconds`. What counts rolls, instances, slots, cells and routes is the "
      "leader's; a\n"
      "standby says 0, so the sum over a pair is right. The last column links to what to do: "
      "[Monitoring](../guide/monitoring.md).\n\n";
  page += "## batond\n\n" + RowsOf(MetricsTable());
  page += "\n## baton-cell\n\n" + RowsOf(CellMetricsTable());
  page += "\n## baton-router\n\n" + RowsOf(RouterMetricsTable());
  page += "\n## baton-web\n\n" + RowsOf(WebMetricsTable());
  return page;
}

}  // namespace baton::law
