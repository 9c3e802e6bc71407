// What a PromQL expression asks for: metrics, and which of their labels.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace baton::monitoring {

struct MetricUse {
  std::string metric;  // without the _bucket, _count or _sum of a histogram
  std::set<std::string> labels;
  bool operator==(const MetricUse&) const = default;
};

struct Asked {
  std::vector<MetricUse> uses;
  std::set<std::string> grouped_by;  // `by (these)`
};

// Of what begins with one of `prefixes`, "baton_" for example. Labels in words, such as those of a page, are found as
// well.
Asked WhatIsAsked(const std::string& expression, const std::vector<std::string>& prefixes);

}  // namespace baton::monitoring
