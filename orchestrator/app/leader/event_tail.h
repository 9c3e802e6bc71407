// Follows the outbox's end while this process leads, and hands on what became settled. On a thread of its own.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

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
  ~EventTail();

  void Lead();
  void Follow();
  // Something was committed. From any thread, and brief.
  void Wake();
  void Stop();

 private:
  void Run();
  // How long to wait for the next look.
  Duration Look();
  void Told(bool waiting, bool goes_on);

  MakeLog make_log_;
  Log& log_;
  Metrics& metrics_;
  Handlers handlers_;
  std::unique_ptr<EventLog> events_;
  bool begun_ = false;
  std::chrono::steady_clock::time_point waits_since_{};  // at a gap
  bool waits_ = false;
  bool alarmed_ = false;
  std::chrono::steady_clock::time_point ticked_{};

  std::mutex mutex_;
  std::condition_variable wake_;
  bool leading_ = false;
  bool anew_ = false;
  bool woken_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace baton
