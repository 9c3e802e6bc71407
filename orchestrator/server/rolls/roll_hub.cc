#include "orchestrator/server/rolls/roll_hub.h"

#include <vector>

namespace baton {

void RollHub::Add(const ProcessGuid& guid, const std::shared_ptr<Watcher>& watcher) {
  const std::lock_guard lock(mutex_);
  watchers_.emplace(guid, watcher);
}

void RollHub::Notify(const ProcessGuid& guid) {
  std::vector<std::shared_ptr<Watcher>> told;
  {
    const std::lock_guard lock(mutex_);
    for (auto [at, end] = watchers_.equal_range(guid); at != end;) {
      if (auto watcher = at->second.lock()) {
        told.push_back(std::move(watcher));
        ++at;
      } else {
        at = watchers_.erase(at);
      }
    }
  }
  for (const auto& watcher : told) watcher->Changed();
}

void RollHub::NotifyAll() {
  std::vector<std::shared_ptr<Watcher>> told;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [guid, weak] : watchers_) {
      if (auto watcher = weak.lock()) told.push_back(std::move(watcher));
    }
  }
  for (const auto& watcher : told) watcher->Changed();
}

}  // namespace baton
