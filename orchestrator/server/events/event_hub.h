// The newest events, kept once for all subscribers. Each has only a place in them: one that reads too slowly falls out
// at the old end, and neither costs memory nor holds anybody up.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "orchestrator/server/events/event_frame.h"
#include "orchestrator/server/rolls/notifier.h"

namespace baton {

class EventHub {
 public:
  struct Limits {
    std::size_t frames = 20'000;
    std::size_t bytes = 32 << 20;
  };
  explicit EventHub(Limits limits) : limits_(limits) {}
  EventHub() : EventHub(Limits{}) {}

  // --- From the tail's thread.
  void Begin(std::int64_t settled);
  void Take(const std::vector<EventRow>& events, std::int64_t settled);
  void End();
  // Everybody looks, whether there is something new or not.
  void Tick();

  // --- From subscribers, on any thread.
  void Add(const std::shared_ptr<Notifier>& notifier);
  struct Part {
    bool open = false;          // events are told at all
    std::int64_t settled = 0;   // the newest
    std::int64_t oldest = 0;    // what comes after this one is here
    EventFrames frames;         // after `position`, in order
    std::int64_t position = 0;  // of the last of them, or the newest where there are no more
  };
  // The frames after `position`: at most `most`, and a frame larger than `bytes_max` alone. No frames and `position`
  // below `oldest`: they are no longer in memory.
  Part After(std::int64_t position, std::size_t most, std::size_t bytes_max = 1 << 20) const;

 private:
  void Signal();

  const Limits limits_;
  mutable std::mutex mutex_;
  bool open_ = false;
  std::int64_t oldest_ = 0;
  std::int64_t settled_ = 0;
  std::size_t bytes_ = 0;
  std::deque<std::shared_ptr<const EventFrame>> frames_;
  std::vector<std::weak_ptr<Notifier>> notifiers_;
};

}  // namespace baton
