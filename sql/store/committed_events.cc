#include "sql/store/committed_events.h"

#include <utility>

namespace baton {

void CommittedEvents::Put(std::vector<EventRow> events) {
  const std::lock_guard lock(mutex_);
  for (EventRow& event : events) {
    if (bytes_ + event.payload.size() > kBytesMax) return;
    bytes_ += event.payload.size();
    const std::int64_t sequence = event.sequence;
    events_.emplace_hint(events_.end(), sequence, std::move(event));
  }
}

std::optional<EventRow> CommittedEvents::Take(std::int64_t sequence) {
  const std::lock_guard lock(mutex_);
  std::optional<EventRow> taken;
  while (!events_.empty() && events_.begin()->first <= sequence) {
    auto first = events_.extract(events_.begin());
    bytes_ -= first.mapped().payload.size();
    if (first.key() == sequence) taken = std::move(first.mapped());
  }
  return taken;
}

std::vector<EventRow> CommittedEvents::TakeRun(std::int64_t sequence, std::size_t most) {
  const std::lock_guard lock(mutex_);
  std::vector<EventRow> run;
  if (std::exchange(others_, false)) return run;
  auto at = events_.upper_bound(sequence);
  while (at != events_.end() && at->first == sequence + 1 && run.size() < most) {
    bytes_ -= at->second.payload.size();
    run.push_back(std::move(at->second));
    at = events_.erase(at);
    ++sequence;
  }
  return run;
}

void CommittedEvents::ThereAreOthers() {
  const std::lock_guard lock(mutex_);
  others_ = true;
}

void CommittedEvents::Clear() {
  const std::lock_guard lock(mutex_);
  events_.clear();
  bytes_ = 0;
}

}  // namespace baton
