#include "orchestrator/app/routers/new_routers.h"

#include <utility>

namespace baton {
namespace {

constexpr std::chrono::hours kKnownFor{24};  // as rows of routers are kept (DeleteExpiredConsumers)

}  // namespace

void NewRouters::Registered(const ConsumerId& id, bool in_rows, Steady::time_point now) {
  const std::lock_guard lock(mutex_);
  std::erase_if(seen_, [&](const auto& entry) {
    const bool forgotten = now - entry.second > kKnownFor;
    if (forgotten) new_.erase(entry.first);
    return forgotten;
  });
  const bool seen = !seen_.insert_or_assign(id, now).second;
  if (!in_rows && !seen) new_[id] = TimePoint::max();
}

void NewRouters::Serves(const ConsumerId& id, TimePoint since) {
  const std::lock_guard lock(mutex_);
  const auto at = new_.find(id);
  if (at != new_.end() && at->second == TimePoint::max()) at->second = since;
}

void NewRouters::SetTrusted(std::set<std::string> names) {
  const std::lock_guard lock(mutex_);
  trusted_ = std::move(names);
}

void NewRouters::Clear() {
  const std::lock_guard lock(mutex_);
  seen_.clear();
  new_.clear();
}

std::map<ConsumerId, TimePoint> NewRouters::CountedSince() const {
  const std::lock_guard lock(mutex_);
  std::map<ConsumerId, TimePoint> since;
  for (const auto& [id, at] : new_) {
    if (!trusted_.contains(id.str())) since.emplace(id, at);
  }
  return since;
}

}  // namespace baton
