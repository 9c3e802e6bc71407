#include "orchestrator/server/callers/identity_limits.h"

#include <algorithm>
#include <cmath>

#include "orchestrator/server/callers/caller_limits.h"

namespace baton {
namespace {

constexpr std::size_t kBucketsMax = 1000;
constexpr double kRounding = 1e-6;  // of a millisecond

struct Words {
  const char* metric;
  const char* what;
  const char* option;
};
constexpr Words kWords[] = {{"identity lists", "lists", "--identity-lists"},
                            {"identity plans", "plans", "--identity-plans"},
                            {"identity forecasts", "forecasts", "--identity-plans"},
                            {"identity streams", "subscriptions, watches and waits", "--identity-streams"}};

}  // namespace

int IdentityLimits::MostOf(Kind kind) const {
  switch (kind) {
    case Kind::kLists: return most_.lists;
    case Kind::kPlans:
    case Kind::kForecasts: return most_.plans;
    case Kind::kStreams: return most_.streams;
  }
  return 0;
}

Result<IdentityLimits::Slot> IdentityLimits::Take(Kind kind, const std::string& who) {
  if (who.empty()) return Slot();
  const std::lock_guard lock(mutex_);
  const std::pair key(kind, who);
  if (taken_[key] >= MostOf(kind)) {
    const Words& words = kWords[static_cast<std::size_t>(kind)];
    metrics_.Count("baton_calls_refused_total", words.metric);
    return Error{ErrorKind::kResourceExhausted,
                 std::to_string(MostOf(kind)) + " " + words.what + " of " + who + " are under way already (" +
                     words.option + "): ask again later",
                 kCallerRetryAfter};
  }
  ++taken_[key];
  return Slot(this, [this, key](void*) {
    const std::lock_guard free(mutex_);
    if (--taken_[key] == 0) taken_.erase(key);
  });
}

void IdentityLimits::Fill(Bucket& bucket, Steady::time_point now) const {
  const std::chrono::duration<double> passed = now - bucket.at;
  bucket.writes = std::min<double>(most_.writes_at_once, bucket.writes + std::max(0.0, passed.count()) * most_.writes_a_second);
  bucket.at = std::max(bucket.at, now);
}

Status IdentityLimits::TakeWrite(const std::string& who, Steady::time_point now) {
  if (who.empty()) return Done{};
  const std::lock_guard lock(mutex_);
  if (buckets_.size() > kBucketsMax) {
    for (auto& [name, bucket] : buckets_) Fill(bucket, now);
    std::erase_if(buckets_, [&](const auto& entry) { return entry.second.writes >= most_.writes_at_once; });
  }
  const auto [at, is_new] = buckets_.try_emplace(who, Bucket{static_cast<double>(most_.writes_at_once), now});
  Bucket& bucket = at->second;
  Fill(bucket, now);
  if (bucket.writes >= 1) {
    bucket.writes -= 1;
    return Done{};
  }
  metrics_.Count("baton_calls_refused_total", "identity writes");
  const double wait_ms = std::ceil((1 - bucket.writes) * 1000 / std::max(1, most_.writes_a_second) - kRounding);
  return Error{ErrorKind::kResourceExhausted,
               who + " has written too much at once: " + std::to_string(most_.writes_a_second) + " a second in the long run, " +
                   std::to_string(most_.writes_at_once) + " at once (--identity-writes, --identity-writes-at-once)",
               milliseconds(std::max<std::int64_t>(1, static_cast<std::int64_t>(wait_ms)))};
}

}  // namespace baton
