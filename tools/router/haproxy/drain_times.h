// How long instances drain. Pure: tables and times in, durations out.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace baton::router {

class DrainTimes {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Those that drain now, by each table.
  void Drain(const std::set<std::string>& draining, Time now);
  // Since when this one does: once for each drain, however often it is reported.
  std::optional<std::chrono::duration<double>> Drained(const std::string& actual_id, Time now);

 private:
  std::map<std::string, std::optional<Time>> since_;  // empty: it was told
};

}  // namespace baton::router
