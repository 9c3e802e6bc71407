#include "tools/router/haproxy/drain_watch.h"

#include <algorithm>

namespace baton::router {
namespace {

constexpr int kZeroReadingsWanted = 2;

}  // namespace

std::vector<std::string> DrainWatch::Observe(const std::set<std::string>& draining, const InstanceSessions& sessions) {
  std::erase_if(seen_, [&](const auto& entry) { return !draining.contains(entry.first); });
  std::vector<std::string> drained;
  for (const std::string& actual_id : draining) {
    Seen& seen = seen_[actual_id];
    if (seen.reported) continue;
    const auto count = sessions.find(actual_id);
    if (count != sessions.end()) {
      seen.zero_readings = count->second == 0 ? seen.zero_readings + 1 : 0;
      if (seen.zero_readings < kZeroReadingsWanted) continue;
    }
    seen.reported = true;
    drained.push_back(actual_id);
  }
  return drained;
}

bool DrainWatch::Waiting(const std::set<std::string>& draining) const {
  return std::any_of(draining.begin(), draining.end(), [&](const std::string& actual_id) {
    const auto seen = seen_.find(actual_id);
    return seen == seen_.end() || !seen->second.reported;
  });
}

void DrainWatch::Reset() { seen_.clear(); }

}  // namespace baton::router
