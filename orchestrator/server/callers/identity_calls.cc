#include "orchestrator/server/callers/identity_calls.h"

#include <algorithm>

#include "orchestrator/server/callers/caller_limits.h"

namespace baton {
namespace {

constexpr std::chrono::seconds kAwaited{1};

}  // namespace

void IdentityCalls::Turn(Steady::time_point now) {
  if (now - second_ < kAwaited) return;
  const bool both = now - second_ >= 2 * kAwaited;
  second_ = now;
  for (auto at = counts_.begin(); at != counts_.end();) {
    Counts& of = at->second;
    of.awaited_before = both ? 0 : of.awaited;
    of.awaited = 0;
    at = of.under_way + of.awaited_before == 0 ? counts_.erase(at) : std::next(at);
  }
}

Status IdentityCalls::Admit(const std::string& who, Steady::time_point now) {
  const std::lock_guard lock(mutex_);
  Turn(now);
  Counts& of = counts_[who];
  if (of.under_way + of.awaited + of.awaited_before < most_) {
    ++of.awaited;
    return Done{};
  }
  metrics_.Count("baton_calls_refused_total", "identity calls");
  return Error{
      ErrorKind::kResourceExhausted,
      std::to_string(most_) + " calls of " + who + " are under way already (--identity-calls): ask again later",
      kCallerRetryAfter};
}

IdentityCalls::Place IdentityCalls::Begin(const std::string& who, bool lasts) {
  const std::lock_guard lock(mutex_);
  Counts& of = counts_[who];
  int& awaited = of.awaited_before > 0 ? of.awaited_before : of.awaited;
  awaited = std::max(0, awaited - 1);
  if (lasts) return {};
  ++of.under_way;
  return {*this, who};
}

void IdentityCalls::End(const std::string& who) {
  const std::lock_guard lock(mutex_);
  --counts_[who].under_way;
}

}  // namespace baton
