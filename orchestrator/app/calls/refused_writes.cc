#include "orchestrator/app/calls/refused_writes.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace baton {

RefusedWrites::RefusedWrites(AuditStore& store, Log& log, Metrics& metrics, Options options)
    : store_(store), log_(log), metrics_(metrics), options_(options), book_(options.limits), reveals_(options.reveals),
      ticker_(options.every, [this] { return Tick(); }) {}

void RefusedWrites::Add(AuditEntry entry) {
  const std::lock_guard lock(mutex_);
  if (!leading_ || ticker_.stopping()) return;
  if (!book_.Add(std::move(entry), Steady::now())) return metrics_.Count("baton_audit_left_out_total");
  pending_ = true;
  ticker_.Wake();
}

void RefusedWrites::AddReveal(AuditEntry entry, RevealBook::Rows rows) {
  const auto now = Steady::now();
  const std::lock_guard lock(mutex_);
  if (!leading_ || ticker_.stopping() || !reveals_.Add(std::move(entry), rows, now) || reveals_at_) return;
  reveals_at_ = now + options_.gather;
  ticker_.Wake();
}

void RefusedWrites::Lead() {
  const std::lock_guard lock(mutex_);
  leading_ = true;
}

void RefusedWrites::Follow() {
  const std::lock_guard lock(mutex_);
  leading_ = pending_ = false;
  book_.Clear();
  reveals_.Clear();
  reveals_at_.reset();
}

void RefusedWrites::Settle(Duration timeout) {
  const auto done = std::make_shared<std::promise<void>>();
  {
    const std::lock_guard lock(mutex_);
    if (!leading_ || ticker_.stopping()) return;
    settling_ = done;
    ticker_.Wake();
  }
  (void)done->get_future().wait_for(timeout);
}

std::vector<RefusedWrite> RefusedWrites::Take(Steady::time_point now, bool all) {
  pending_ = false;
  reveals_at_.reset();
  std::vector<RefusedWrite> due = book_.TakeDue(now, all);
  std::ranges::move(reveals_.TakeDue(now, all), std::back_inserter(due));
  return due;
}

Ticker::Wait RefusedWrites::Tick() {
  const auto now = Steady::now();
  std::unique_lock lock(mutex_);
  const auto settling = std::exchange(settling_, nullptr);
  if (const auto again = tried_ + options_.try_again; !settling && !refused_.empty() && now < again) return again - now;
  for (RefusedWrite& one : refused_) one.ago += std::chrono::duration_cast<Duration>(now - tried_);
  if (!leading_) refused_.clear();
  const bool gathers = reveals_at_ && now < *reveals_at_ && !pending_;  // what comes meanwhile is written with them
  if (leading_ && (settling || (refused_.empty() && !gathers))) {
    std::ranges::move(Take(now, /*all=*/settling != nullptr), std::back_inserter(refused_));
  }
  lock.unlock();
  tried_ = now;
  Write();
  if (settling) settling->set_value();
  if (!refused_.empty()) return options_.try_again;
  // What woke it while nothing could be written waits still.
  lock.lock();
  if (pending_) return Ticker::Wait(0);
  return reveals_at_ ? *reveals_at_ - Steady::now() : options_.every;
}

void RefusedWrites::Write() {
  while (!refused_.empty() && WriteFirst(refused_.size())) {
  }
}

// One that the store never takes must not hold up the others: it is found by halves, and left out.
bool RefusedWrites::WriteFirst(std::size_t many) {
  const auto end = refused_.begin() + static_cast<std::ptrdiff_t>(many);
  const Status written = store_.Append({refused_.begin(), end});
  const bool never = !written && written.error().kind == ErrorKind::kInvalidArgument;
  const std::string trouble = written || never ? "" : written.error().message;
  if (trouble != std::exchange(trouble_, trouble) && !trouble.empty()) {
    log_.Warn("refusals_not_stored", {{"error", trouble}});
  }
  if (never && many > 1) return WriteFirst(many / 2) && WriteFirst(many - many / 2);
  if (never) {
    const AuditEntry& entry = refused_.front().entry;
    log_.Warn("refusal_dropped", {{"method", entry.method},
                                  {"app", entry.guid},
                                  {"actor", entry.actor},
                                  {"request_id", entry.request_id},
                                  {"error", written.error().message}});
    metrics_.Count("baton_audit_dropped_total");
  }
  if (written || never) refused_.erase(refused_.begin(), end);
  return written || never;
}

}  // namespace baton
