#include "orchestrator/app/leader/event_tail.h"

#include <utility>

namespace baton {
namespace {

using Steady = std::chrono::steady_clock;

constexpr int kEventsMax = 1000;                      // of one look
constexpr Duration kLookAnyway = milliseconds(250);   // a wake-up that was lost costs so much
constexpr Duration kAtGap = milliseconds(2);          // an open transaction is about to fill it, as a rule
constexpr Duration kAlarmAfter = seconds(5);          // and as an exception, it does not
constexpr Duration kAfterFailure = milliseconds(200);
constexpr Duration kTick = seconds(1);

}  // namespace

EventTail::EventTail(MakeLog make_log, Log& log, Metrics& metrics, Handlers handlers)
    : make_log_(std::move(make_log)), log_(log), metrics_(metrics), handlers_(std::move(handlers)),
      ticker_(Ticker::kUntilWoken, [this] { return Tick(); }) {}

void EventTail::Lead() {
  const std::lock_guard lock(mutex_);
  leading_ = anew_ = true;
  ticker_.Wake();
}

void EventTail::Follow() {
  const std::lock_guard lock(mutex_);
  leading_ = false;
  ticker_.Wake();
}

Ticker::Wait EventTail::Tick() {
  std::unique_lock lock(mutex_);
  const bool leading = leading_;
  const bool anew = leading && std::exchange(anew_, false);
  lock.unlock();
  if (!leading) {
    if (std::exchange(events_, nullptr)) handlers_.end();
    return Ticker::kUntilWoken;
  }
  if (anew) {
    events_ = make_log_();
    begun_ = waits_ = alarmed_ = false;
  }
  return Look();
}

Ticker::Wait EventTail::Look() {
  auto batch = events_->Next(kEventsMax);
  if (!batch) return kAfterFailure;
  Told(batch->waiting, !batch->events.empty());
  const bool more = batch->events.size() == kEventsMax;
  if (!begun_) {
    if (batch->waiting) return kAtGap;
    begun_ = true;
    handlers_.begin(batch->settled);
  } else if (!batch->events.empty()) {
    metrics_.Count("baton_events_told_total", {}, static_cast<double>(batch->events.size()));
    handlers_.take(std::move(batch->events), batch->settled);
  }
  if (Steady::now() - ticked_ >= kTick) {
    ticked_ = Steady::now();
    handlers_.tick();
  }
  return more ? Duration(0) : batch->waiting ? kAtGap : kLookAnyway;
}

void EventTail::Told(bool waiting, bool goes_on) {
  if (!waiting || !waits_ || goes_on) waits_since_ = Steady::now();
  waits_ = waiting;
  const auto waited = std::chrono::duration<double>(Steady::now() - waits_since_);
  metrics_.Set("baton_events_held_up_seconds", waiting ? waited.count() : 0);
  const bool alarm = waiting && waited >= kAlarmAfter;
  if (alarm && !alarmed_) {
    log_.Error("events_held_up", {{"seconds", waited.count()},
                                  {"why", "a transaction that may have written an event is still open: look for it in "
                                          "pg_stat_activity"}});
  }
  alarmed_ = alarm;
}

}  // namespace baton
