#include "tools/router/haproxy/drain_times.h"

#include <utility>

namespace baton::router {

void DrainTimes::Drain(const std::set<std::string>& draining, Time now) {
  std::erase_if(since_, [&](const auto& entry) { return !draining.contains(entry.first); });
  for (const std::string& actual_id : draining) since_.emplace(actual_id, now);
}

std::optional<std::chrono::duration<double>> DrainTimes::Drained(const std::string& actual_id, Time now) {
  const auto at = since_.find(actual_id);
  if (at == since_.end()) return std::nullopt;
  const std::optional<Time> since = std::exchange(at->second, std::nullopt);
  if (!since) return std::nullopt;
  return now - *since;
}

}  // namespace baton::router
