#include "orchestrator/server/events/event_hub.h"

#include <algorithm>

namespace baton {
namespace {

// In memory: most often both are the same.
std::size_t SizeOf(const EventFrame& frame) {
  return frame.bytes.size() + (frame.reduced.begin() == frame.bytes.begin() ? 0 : frame.reduced.size());
}

}  // namespace

void EventHub::Begin(std::int64_t settled) {
  {
    const std::lock_guard lock(mutex_);
    open_ = true;
    oldest_ = settled_ = settled;
    frames_.clear();
    bytes_ = 0;
  }
  Signal();
}

void EventHub::Take(const std::vector<EventRow>& events, std::int64_t settled) {
  EventFrames fresh;
  for (const EventRow& event : events) fresh.push_back(MakeFrame(event));
  {
    const std::lock_guard lock(mutex_);
    for (auto& frame : fresh) {
      bytes_ += SizeOf(*frame);
      frames_.push_back(std::move(frame));
    }
    settled_ = settled;
    while (frames_.size() > limits_.frames || (bytes_ > limits_.bytes && frames_.size() > 1)) {
      oldest_ = frames_.front()->sequence;
      bytes_ -= SizeOf(*frames_.front());
      frames_.pop_front();
    }
  }
  Signal();
}

void EventHub::End() {
  {
    const std::lock_guard lock(mutex_);
    open_ = false;
    frames_.clear();
    bytes_ = 0;
  }
  Signal();
}

void EventHub::Tick() { Signal(); }

void EventHub::Add(const std::shared_ptr<Notifier>& notifier) {
  const std::lock_guard lock(mutex_);
  notifiers_.push_back(notifier);
}

EventHub::Part EventHub::After(std::int64_t position, std::size_t most, std::size_t bytes_max) const {
  const std::lock_guard lock(mutex_);
  Part part{.open = open_, .settled = settled_, .oldest = oldest_, .frames = {}, .position = position};
  if (!open_ || position < oldest_) return part;
  const auto first = std::ranges::upper_bound(frames_, position, {}, &EventFrame::sequence);
  std::size_t bytes = 0;
  for (auto at = first; at != frames_.end() && part.frames.size() < most; ++at) {
    bytes += (*at)->bytes.size();
    if (bytes > bytes_max && at != first) break;
    part.frames.push_back(*at);
  }
  const bool all = part.frames.size() == static_cast<std::size_t>(frames_.end() - first);
  if (all) part.position = std::max(position, settled_);
  if (!all && !part.frames.empty()) part.position = part.frames.back()->sequence;
  return part;
}

void EventHub::Signal() {
  std::vector<std::shared_ptr<Notifier>> notifiers;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(notifiers_, [&](const std::weak_ptr<Notifier>& weak) {
      auto notifier = weak.lock();
      if (!notifier) return true;
      notifiers.push_back(std::move(notifier));
      return false;
    });
  }
  for (const auto& notifier : notifiers) notifier->Signal();
}

}  // namespace baton
