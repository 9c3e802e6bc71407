// What Prometheus' own clients say of each process, by their names: process_cpu_seconds_total and the like.
#pragma once

#include <prometheus/metric_family.h>

#include <vector>

namespace baton {

// Of this process, read off /proc now; without what cannot be read.
std::vector<prometheus::MetricFamily> ProcessMetrics();

}  // namespace baton
