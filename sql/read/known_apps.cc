#include "sql/read/known_apps.h"

#include <iterator>
#include <utility>

namespace baton {

KnownRows KnownApps::Take(const std::vector<ProcessGuid>& guids, std::int64_t epoch, Clock::time_point now) {
  Entries forgotten;
  const std::lock_guard lock(mutex_);
  ForgetOld(now, forgotten);
  KnownRows taken;
  if (entries_.empty()) return taken;
  for (const ProcessGuid& guid : guids) {
    const auto at = by_guid_.find(guid);
    if (at == by_guid_.end()) continue;
    Forget(at->second, forgotten);
    KnownApp& app = forgotten.front().app;
    if (app.epoch == epoch) taken.emplace(guid, std::move(app));
  }
  return taken;
}

void KnownApps::Put(KnownRows apps, Clock::time_point now) {
  Entries forgotten;
  const std::lock_guard lock(mutex_);
  for (auto& [guid, app] : apps) {
    if (const auto at = by_guid_.find(guid); at != by_guid_.end()) Forget(at->second, forgotten);
    if (app.actuals.size() > limits_.rows_max) continue;  // all others would go for it
    rows_ += app.actuals.size();
    entries_.push_front({guid, std::move(app), now});
    by_guid_[guid] = entries_.begin();
  }
  ForgetOld(now, forgotten);
}

void KnownApps::Clear() {
  Entries forgotten;
  const std::lock_guard lock(mutex_);
  forgotten.swap(entries_);
  by_guid_.clear();
  rows_ = 0;
}

std::size_t KnownApps::rows() const {
  const std::lock_guard lock(mutex_);
  return rows_;
}

void KnownApps::Forget(Entries::iterator entry, Entries& forgotten) {
  rows_ -= entry->app.actuals.size();
  by_guid_.erase(entry->guid);
  forgotten.splice(forgotten.begin(), entries_, entry);
}

void KnownApps::ForgetOld(Clock::time_point now, Entries& forgotten) {
  while (!entries_.empty() && (rows_ > limits_.rows_max || entries_.back().since + kKept < now)) {
    Forget(std::prev(entries_.end()), forgotten);
  }
}

}  // namespace baton
