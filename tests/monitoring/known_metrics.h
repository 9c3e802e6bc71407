// The programs' metrics with their labels, as monitoring may ask for them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/monitoring/metric_uses.h"

namespace baton::monitoring {

// Of all programs; of a name that several have, every label.
std::map<std::string, std::set<std::string>> KnownMetrics();

// What is asked for and is not there: "baton_x is no metric", "baton_rolls has no label phase".
std::vector<std::string> Faults(const Asked& asked);

}  // namespace baton::monitoring
