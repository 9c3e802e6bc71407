#include "tests/monitoring/known_metrics.h"

#include <prometheus/metric_family.h>

#include <algorithm>
#include <sstream>

#include "orchestrator/model/calls/metrics_table.h"
#include "tools/metrics/process_metrics.h"

namespace baton::monitoring {
namespace {

// What Prometheus adds to all, and `le` of histograms.
const std::set<std::string>& LabelsOfAll() {
  static const std::set<std::string> labels{"instance", "job", "le"};
  return labels;
}

}  // namespace

std::map<std::string, std::set<std::string>> KnownMetrics() {
  std::map<std::string, std::set<std::string>> known;
  for (const auto table : {MetricsTable(), CellMetricsTable(), RouterMetricsTable()}) {
    for (const Metric& metric : table) {
      std::istringstream labels(metric.label);
      auto& all = known[metric.name];
      for (std::string label; std::getline(labels, label, ',');) all.insert(label);
    }
  }
  for (const prometheus::MetricFamily& family : ProcessMetrics()) known[family.name];
  known["up"];
  return known;
}

std::vector<std::string> Faults(const Asked& asked) {
  static const auto known = KnownMetrics();
  std::vector<std::string> faults;
  std::set<std::string> may_group = LabelsOfAll();
  for (const MetricUse& use : asked.uses) {
    const auto metric = known.find(use.metric);
    if (metric == known.end()) {
      faults.push_back(use.metric + " is no metric");
      continue;
    }
    may_group.insert(metric->second.begin(), metric->second.end());
    for (const std::string& label : use.labels) {
      if (!metric->second.contains(label) && !LabelsOfAll().contains(label))
        faults.push_back(use.metric + " has no label " + label);
    }
  }
  for (const std::string& label : asked.grouped_by) {
    if (!may_group.contains(label)) faults.push_back("nothing here has the label " + label + " to group by");
  }
  return faults;
}

}  // namespace baton::monitoring
