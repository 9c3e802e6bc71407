// What the bench has measured: one row of its table, one line of its JSON.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace baton::bench {

struct Figure {
  double value = 0;
  std::string unit;    // empty: the name's ending says it (UnitOf)
  std::int64_t n = 0;  // operations, or rounds; 0: not counted
  std::optional<double> p50;  // milliseconds
  std::optional<double> p99;
  // CPU by the operating system's count, milliseconds an operation: batond's, PostgreSQL's, and the load generators'.
  std::optional<double> cpu_service;
  std::optional<double> cpu_postgres;
  std::optional<double> cpu_client;
  std::optional<double> rss_mb;  // batond's peak
  std::optional<double> calls_per_commit;     // of a row that writes
  std::optional<double> statements_per_call;  // where they were counted

  Figure() = default;
  Figure(double v) : value(v) {}  // NOLINT: a figure is a number, and what is known beside it
};

using Figures = std::map<std::string, Figure>;

// "converge.repair_per_s" is in 1/s.
std::string UnitOf(const std::string& name, const Figure& figure);

// Of unsorted values; there is at least one. `part` from 0 to 1.
inline double Quantile(std::vector<double>& values, double part) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// The median, with the number of rounds; `unit` empty: by the name.
inline Figure MedianOf(std::vector<double> values, std::string unit = {}) {
  Figure figure(Quantile(values, 0.5));
  figure.unit = std::move(unit);
  figure.n = static_cast<std::int64_t>(values.size());
  return figure;
}

// "growth.NAME_ratio": the cost of a row at the larger size against that at the smaller one, `times` as many rows apart.
inline void PutGrowth(Figures& figures, const std::string& name, const std::string& smaller, const std::string& larger,
                      double times) {
  figures["growth." + name + "_ratio"] = figures.at(name + "." + larger).value / figures.at(name + "." + smaller).value / times;
}

}  // namespace baton::bench
