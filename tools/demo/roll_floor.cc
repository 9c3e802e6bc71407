#include "tools/demo/roll_times.h"

#include <algorithm>

namespace baton {
namespace {

constexpr std::int64_t kNanosInMs = 1'000'000;

}  // namespace

void RollTimes::Add(const std::vector<v2::RollStep>& steps) {
  for (const v2::RollStep& step : steps) {
    if (step.kind() == "proven" || step.kind() == "handed_over") {
      starts_ms_ += step.start_ms();
      ++slots_;
      drains_after_last_ms_ = 0;
    }
    if (step.kind() == "retired") {
      drains_ms_ += step.stop_ms();
      drains_after_last_ms_ += step.stop_ms();
    }
    if (step.kind() == "attempt_failed") ++failed_attempts_;
  }
}

void RollTimes::AddLast(const std::vector<v2::ActualLRP>& draining, std::int64_t gone_at) {
  for (const v2::ActualLRP& instance : draining) {
    drains_ms_ += (gone_at - instance.retiring_since()) / kNanosInMs;
    drains_after_last_ms_ += (gone_at - instance.retiring_since()) / kNanosInMs;
  }
  last_gone_at_ = gone_at;
}

double RollTimes::Seconds(const v2::Roll& roll) const {
  const std::int64_t end = std::max(roll.finished_at(), last_gone_at_);
  return static_cast<double>(end - roll.opened_at()) / 1e9;
}

double RollTimes::FloorSeconds(std::int64_t min_healthy_ms, std::int64_t bake_ms) const {
  const std::int64_t bakes_on = std::max<std::int64_t>(0, bake_ms - drains_after_last_ms_);
  return static_cast<double>(starts_ms_ + drains_ms_ + slots_ * min_healthy_ms + bakes_on) / 1e3;
}

}  // namespace baton
