// How many requests a second instances get, out of HAProxy's counts. Pure: readings and times in, loads out.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/router/haproxy/haproxy_view.h"

namespace baton::router {

// One instance's, through this router.
struct InstanceLoad {
  std::string actual_id;
  std::int64_t sessions = 0;
  std::optional<double> requests_per_s;  // nothing by the first reading, and where HAProxy began to count anew

  bool operator==(const InstanceLoad&) const = default;
};

class LoadMeter {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Of those instances, as far as HAProxy has servers for them.
  std::vector<InstanceLoad> Observe(const std::set<std::string>& measured, const InstanceReadings& readings, Time now);

 private:
  std::map<std::string, std::int64_t> counts_;  // of the reading before
  Time at_{};
};

}  // namespace baton::router
