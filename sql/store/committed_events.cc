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

EventRow CommittedEvents::TakeFirst() {
  auto first = events_.extract(events_.begin());
  bytes_ -= first.mapped().payload.size();
  return std::move(first.mapped());
}

std::optional<EventRow> CommittedEvents::Take(std::int64_t sequence) {
  const std::lock_guard lock(mutex_);
  std::optional<EventRow> taken;
  while (!events_.empty() && events_.begin()->first <= sequence) {
    EventRow first = TakeFirst();
    if (first.sequence == sequence) taken = std::move(first);
  }
  return taken;
}

std::vector<EventRow> CommittedEvents::TakeRun(std::int64_t sequence, std::size_t most) {
  const std::lock_guard lock(mutex_);
  while (!events_.empty() && events_.begin()->first <= sequence) TakeFirst();
  std::vector<EventRow> run;
  if (std::exchange(others_, false)) return run;
  std::size_t length = 0;
  for (auto at = events_.begin(); at != events_.end() && length < most; ++at, ++length) {
    if (at->first != ++sequence) return run;  // who looks at the table finds out what became of it
  }
  run.reserve(length);
  while (run.size() < length) run.push_back(TakeFirst());
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
