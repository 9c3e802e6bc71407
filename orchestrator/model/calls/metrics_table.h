// The metrics of batond, cells, routers and pages, a table each. The metrics servers and the documentation read it.
#pragma once

#include <span>

namespace baton {

// Histograms: of milliseconds to seconds, and of seconds to a day.
enum class MetricKind { kCounter, kGauge, kHistogram, kLongHistogram };

struct Metric {
  const char* name;
  MetricKind kind;
  const char* label;  // names of its labels, with a comma between; or empty
  const char* help;
  const char* alerts = "";  // of deploy/monitoring/baton.rules.yml that look at it, with a comma between
};

std::span<const Metric> MetricsTable();  // batond's
std::span<const Metric> CellMetricsTable();
std::span<const Metric> RouterMetricsTable();
std::span<const Metric> WebMetricsTable();  // baton-web's

}  // namespace baton
