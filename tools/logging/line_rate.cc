#include "tools/logging/line_rate.h"

#include <utility>

namespace baton {

LineRate::Answer LineRate::Ask(std::string_view name, Instant now) {
  const std::lock_guard lock(mutex_);
  auto at = seconds_.find(name);
  if (at == seconds_.end()) at = seconds_.emplace(name, Second{.began = now}).first;
  Second& second = at->second;
  if (now - second.began >= std::chrono::seconds(1)) {
    second.began = now;
    second.lines = 0;
  }
  if (++second.lines <= most_) return {true, std::exchange(second.dropped, 0)};
  ++second.dropped;
  return {};
}

std::map<std::string, std::int64_t> LineRate::TakeDropped() {
  const std::lock_guard lock(mutex_);
  std::map<std::string, std::int64_t> dropped;
  for (auto& [name, second] : seconds_) {
    if (second.dropped > 0) dropped[name] = std::exchange(second.dropped, 0);
  }
  return dropped;
}

}  // namespace baton
