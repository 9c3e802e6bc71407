#include "tools/router/haproxy/load_meter.h"

namespace baton::router {

std::vector<InstanceLoad> LoadMeter::Observe(const std::set<std::string>& measured, const InstanceReadings& readings,
                                             Time now) {
  const std::chrono::duration<double> passed = now - at_;
  std::vector<InstanceLoad> loads;
  std::map<std::string, std::int64_t> counts;
  for (const std::string& actual_id : measured) {
    const auto sessions = readings.sessions.find(actual_id);
    const auto count = readings.requests.find(actual_id);
    if (sessions == readings.sessions.end() || count == readings.requests.end()) continue;
    InstanceLoad load{.actual_id = actual_id, .sessions = sessions->second, .requests_per_s = std::nullopt};
    const auto before = counts_.find(actual_id);
    if (before != counts_.end() && count->second >= before->second && passed.count() > 0) {
      load.requests_per_s = static_cast<double>(count->second - before->second) / passed.count();
    }
    counts[actual_id] = count->second;
    loads.push_back(std::move(load));
  }
  counts_ = std::move(counts);
  at_ = now;
  return loads;
}

}  // namespace baton::router
