#include "orchestrator/app/calls/refused_writes.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace baton {

RefusedWrites::RefusedWrites(AuditStore& store, Log& log, Metrics& metrics, Options options)
    : store_(store), log_(log), metrics_(metrics), options_(options), book_(options.limits), reveals_(options.reveals),
      thread_([this] { Run(); }) {}

RefusedWrites::~RefusedWrites() { Stop(); }

void RefusedWrites::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    wake_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void RefusedWrites::Add(AuditEntry entry) {
  const std::lock_guard lock(mutex_);
  if (!leading_ || stopping_) return;
  if (!book_.Add(std::move(entry), Steady::now())) return metrics_.Count("baton_audit_left_out_total");
  pending_ = true;
  wake_.notify_all();
}

void RefusedWrites::AddReveal(AuditEntry entry, RevealBook::Rows rows) {
  const auto now = Steady::now();
  const std::lock_guard lock(mutex_);
  if (!leading_ || stopping_ || !reveals_.Add(std::move(entry), rows, now) || reveals_at_) return;
  reveals_at_ = now + options_.gather;
  wake_.notify_all();
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

std::vector<RefusedWrite> RefusedWrites::Take(Steady::time_point now, bool all) {
  pending_ = false;
  reveals_at_.reset();
  std::vector<RefusedWrite> due = book_.TakeDue(now);
  std::ranges::move(reveals_.TakeDue(now, all), std::back_inserter(due));
  return due;
}

void RefusedWrites::Run() {
  std::vector<RefusedWrite> refused;
  std::unique_lock lock(mutex_);
  const auto awaited = [this] { return stopping_ || pending_ || reveals_at_; };
  const auto due = [this] { return stopping_ || pending_; };
  while (!stopping_) {
    if (refused.empty()) {
      wake_.wait_for(lock, options_.every, awaited);
      if (reveals_at_) wake_.wait_until(lock, *reveals_at_, due);  // what comes meanwhile is written with them
    } else {
      wake_.wait_for(lock, options_.try_again, [this] { return stopping_; });  // it could not be written
      for (RefusedWrite& one : refused) one.ago += options_.try_again;
    }
    if (!leading_) refused.clear();
    if (leading_ && refused.empty()) refused = Take(Steady::now(), stopping_);
    if (refused.empty()) continue;
    lock.unlock();
    Write(refused);
    lock.lock();
  }
  // What was counted since its last row is told before it goes.
  if (!leading_ || !refused.empty()) return;
  refused = Take(Steady::now(), true);
  lock.unlock();
  if (!refused.empty()) Write(refused);
}

void RefusedWrites::Write(std::vector<RefusedWrite>& refused) {
  while (!refused.empty() && WriteFirst(refused, refused.size())) {
  }
}

// One that the store never takes must not hold up the others: it is found by halves, and left out.
bool RefusedWrites::WriteFirst(std::vector<RefusedWrite>& refused, std::size_t many) {
  const auto end = refused.begin() + static_cast<std::ptrdiff_t>(many);
  const Status written = store_.Append({refused.begin(), end});
  const bool never = !written && written.error().kind == ErrorKind::kInvalidArgument;
  const std::string trouble = written || never ? "" : written.error().message;
  if (trouble != std::exchange(trouble_, trouble) && !trouble.empty()) {
    log_.Warn("refusals_not_stored", {{"error", trouble}});
  }
  if (never && many > 1) return WriteFirst(refused, many / 2) && WriteFirst(refused, many - many / 2);
  if (never) {
    const AuditEntry& entry = refused.front().entry;
    log_.Warn("refusal_dropped", {{"method", entry.method},
                                  {"app", entry.guid},
                                  {"actor", entry.actor},
                                  {"request_id", entry.request_id},
                                  {"error", written.error().message}});
    metrics_.Count("baton_audit_dropped_total");
  }
  if (written || never) refused.erase(refused.begin(), end);
  return written || never;
}

}  // namespace baton
