// Follows the outbox's end while this process leads, and hands on what became settled. On a thread of its own.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "orchestrator/base/ticker.h"
#include "orchestrator/ports/event_log.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"

namespace baton {

class EventTail {
 public:
  struct Handlers {
    // A new reign: events are told from here on.
    std::function<void(std::int64_t settled)> begin;
    // In order; `settled` is the last one's sequence or later.
    std::function<void(std::vector<EventRow> events, std::int64_t settled)> take;
    // Now and then, and when nothing is told any more.
    std::function<void()> tick;
    std::function<void()> end;
  };
  using MakeLog = std::function<std::unique_ptr<EventLog>()>;
  EventTail(MakeLog make_log, Log& log, Metrics& metrics, Handlers handlers);

  void Lead();
  void Follow();
  // Something was committed. From any thread, and brief.
  void Wake() { ticker_.Wake(); }
  void Stop() { ticker_.Stop(); }

 private:
  Ticker::Wait Tick();
  Ticker::Wait Look();
  void Told(bool waiting, bool goes_on);

  MakeLog make_log_;
  Log& log_;
  Metrics& metrics_;
  Handlers handlers_;
  std::unique_ptr<EventLog> events_;  // of a reign whose end is not told
  bool begun_ = false;
  std::chrono::steady_clock::time_point waits_since_{};  // at a gap
  bool waits_ = false;
  bool alarmed_ = false;
  std::chrono::steady_clock::time_point ticked_{};

  std::mutex mutex_;
  bool leading_ = false;
  bool anew_ = false;
  Ticker ticker_;
};

}  // namespace baton
