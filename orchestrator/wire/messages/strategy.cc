#include "orchestrator/wire/messages/strategy.h"

#include <algorithm>
#include <utility>

namespace baton::wire {
namespace {

// Far beyond what a request may say, and small enough to be added to any point in time.
constexpr std::int64_t kMsMax = 1'000'000'000'000;

Duration Ms(std::int64_t value) { return milliseconds(std::clamp<std::int64_t>(value, 0, kMsMax)); }

std::optional<IntOrPercent> Amount(const v2::IntOrPercent& m) {
  switch (m.value_case()) {
    case v2::IntOrPercent::kCount: return IntOrPercent{std::max(m.count(), 0), false};
    case v2::IntOrPercent::kPercent: return IntOrPercent{std::max(m.percent(), 0), true};
    case v2::IntOrPercent::VALUE_NOT_SET: return std::nullopt;
  }
  return std::nullopt;
}

Stage StageFrom(const v2::Stage& m) {
  Stage stage;
  stage.instances = Amount(m.instances()).value_or(IntOrPercent{1});
  if (m.until_case() == v2::Stage::kDurationMs) stage.wait = Ms(m.duration_ms());
  if (m.until_case() == v2::Stage::kVerdict) {
    stage.verdict_url = m.verdict().url();
    if (m.verdict().timeout_ms() > 0) stage.verdict_timeout = Ms(m.verdict().timeout_ms());
  }
  return stage;
}

void SetAmount(const IntOrPercent& value, v2::IntOrPercent& out) {
  value.percent ? out.set_percent(value.value) : out.set_count(value.value);
}

}  // namespace

StrategyPatch PatchFrom(const v2::Strategy& m) {
  StrategyPatch patch;
  if (m.mode() == v2::Strategy::ROLLING) patch.mode = Mode::kRolling;
  if (m.mode() == v2::Strategy::RECREATE) patch.mode = Mode::kRecreate;
  if (m.on_failure() == v2::Strategy::ROLLBACK) patch.on_failure = OnFailure::kRollback;
  if (m.on_failure() == v2::Strategy::HOLD) patch.on_failure = OnFailure::kHold;
  if (m.on_failure() == v2::Strategy::CONTINUE) patch.on_failure = OnFailure::kContinue;
  if (m.has_count_stopping()) patch.count_stopping = m.count_stopping();
  if (m.has_max_surge()) patch.max_surge = Amount(m.max_surge());
  if (m.has_max_unavailable()) patch.max_unavailable = Amount(m.max_unavailable());
  if (m.has_max_in_flight()) patch.max_in_flight = Amount(m.max_in_flight());
  if (m.has_max_failures()) patch.max_failures = std::max(m.max_failures(), 1);
  if (m.has_max_failed_slots()) patch.max_failed_slots = std::max(m.max_failed_slots(), 0);
  if (m.has_min_healthy_time_ms()) patch.min_healthy_time = Ms(m.min_healthy_time_ms());
  if (m.has_start_timeout_ms()) patch.start_timeout = Ms(m.start_timeout_ms());
  if (m.has_progress_deadline_ms()) patch.progress_deadline = Ms(m.progress_deadline_ms());
  if (m.has_wait_deadline_ms()) patch.wait_deadline = Ms(m.wait_deadline_ms());
  if (m.has_bake_time_ms()) patch.bake_time = Ms(m.bake_time_ms());
  if (m.has_drain_min_ms()) patch.drain_min = Ms(m.drain_min_ms());
  if (m.has_drain_timeout_ms()) patch.drain_timeout = Ms(m.drain_timeout_ms());
  if (m.has_stop_timeout_ms()) patch.stop_timeout = Ms(m.stop_timeout_ms());
  if (m.stages_size() > 0) patch.stages.emplace();
  for (const v2::Stage& stage : m.stages()) patch.stages->push_back(StageFrom(stage));
  return patch;
}

void Fill(const Strategy& s, v2::Strategy& m) {
  m.set_mode(s.mode == Mode::kRecreate ? v2::Strategy::RECREATE : v2::Strategy::ROLLING);
  m.set_on_failure(s.on_failure == OnFailure::kHold       ? v2::Strategy::HOLD
                   : s.on_failure == OnFailure::kContinue ? v2::Strategy::CONTINUE
                                                          : v2::Strategy::ROLLBACK);
  SetAmount(s.max_surge, *m.mutable_max_surge());
  SetAmount(s.max_unavailable, *m.mutable_max_unavailable());
  SetAmount(s.max_in_flight, *m.mutable_max_in_flight());
  m.set_count_stopping(s.count_stopping);
  m.set_max_failures(s.max_failures);
  m.set_max_failed_slots(s.max_failed_slots);
  m.set_min_healthy_time_ms(Millis(s.min_healthy_time));
  if (s.start_timeout) m.set_start_timeout_ms(Millis(*s.start_timeout));
  m.set_progress_deadline_ms(Millis(s.progress_deadline));
  m.set_wait_deadline_ms(Millis(s.wait_deadline));
  if (s.bake_time) m.set_bake_time_ms(Millis(*s.bake_time));
  for (const Stage& stage : s.stages) {
    v2::Stage& out = *m.add_stages();
    SetAmount(stage.instances, *out.mutable_instances());
    if (stage.wait) {
      out.set_duration_ms(Millis(*stage.wait));
    } else if (stage.verdict_url.empty()) {
      out.set_promotion(true);
    } else {
      out.mutable_verdict()->set_url(stage.verdict_url);
      out.mutable_verdict()->set_timeout_ms(Millis(stage.verdict_timeout));
    }
  }
  m.set_drain_min_ms(Millis(s.drain_min));
  m.set_drain_timeout_ms(Millis(s.drain_timeout));
  m.set_stop_timeout_ms(Millis(s.stop_timeout));
}

v2::Strategy ToMessage(const Strategy& strategy) {
  v2::Strategy message;
  Fill(strategy, message);
  return message;
}

}  // namespace baton::wire
