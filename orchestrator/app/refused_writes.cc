#include "orchestrator/app/refused_writes.h"

#include <utility>

namespace baton {

RefusedWrites::RefusedWrites(AuditStore& store, Log& log, Metrics& metrics, Options options)
    : store_(store), log_(log), metrics_(metrics), options_(options), book_(options.limits),
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

void RefusedWrites::Lead() {
  const std::lock_guard lock(mutex_);
  leading_ = true;
}

void RefusedWrites::Follow() {
  const std::lock_guard lock(mutex_);
  leading_ = pending_ = false;
  book_.Clear();
}

void RefusedWrites::Run() {
  std::vector<RefusedWrite> refused;
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (refused.empty()) {
      wake_.wait_for(lock, options_.every, [this] { return stopping_ || pending_; });
    } else {
      wake_.wait_for(lock, options_.try_again, [this] { return stopping_; });  // it could not be written
      for (RefusedWrite& one : refused) one.ago += options_.try_again;
    }
    if (!leading_) refused.clear();
    if (leading_ && refused.empty()) {
      pending_ = false;
      refused = book_.TakeDue(Steady::now());
    }
    if (refused.empty()) continue;
    lock.unlock();
    if (Write(refused)) refused.clear();
    lock.lock();
  }
}

bool RefusedWrites::Write(std::vector<RefusedWrite>& refused) {
  const Status written = store_.Append(refused);
  const std::string trouble = written ? "" : written.error().message;
  if (trouble != std::exchange(trouble_, trouble) && !trouble.empty()) {
    log_.Warn("refusals_not_stored", {{"error", trouble}});
  }
  return written.ok();
}

}  // namespace baton
