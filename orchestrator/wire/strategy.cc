#include "orchestrator/wire/strategy.h"

#include <string>

#include "orchestrator/wire/text.h"

namespace baton::wire {
namespace {

constexpr int kStagesMost = 100;
constexpr std::size_t kUrlBytesMost = 2000;
constexpr std::int64_t kMsMost = 30LL * 24 * 3600 * 1000;

// Reads the fields that are set, and keeps the first that is wrong.
class Reader {
 public:
  void Ms(const char* name, bool is_set, std::int64_t value, std::optional<Duration>& out) {
    if (is_set && Take(CheckRange(Field(name), value, 0, kMsMost))) out = milliseconds(value);
  }
  void Count(const char* name, bool is_set, std::int64_t value, std::int64_t least, std::optional<int>& out) {
    if (is_set && Take(CheckRange(Field(name), value, least, 100000))) out = static_cast<int>(value);
  }
  void Amount(const char* name, bool is_set, const v2::IntOrPercent& value, std::int64_t least,
              std::optional<IntOrPercent>& out) {
    if (!is_set) return;
    const bool percent = value.value_case() == v2::IntOrPercent::kPercent;
    if (value.value_case() == v2::IntOrPercent::VALUE_NOT_SET) {
      Take(Error{ErrorKind::kInvalidArgument, Field(name) + " has neither count nor percent"});
    } else if (Take(CheckRange(Field(name) + (percent ? ".percent" : ".count"),
                               percent ? value.percent() : value.count(), least, percent ? 1000 : 100000))) {
      out = IntOrPercent{percent ? value.percent() : value.count(), percent};
    }
  }
  void OneStage(const std::string& name, const v2::Stage& m, std::vector<Stage>& out) {
    std::optional<IntOrPercent> instances;
    Amount((name + ".instances").c_str(), true, m.instances(), 1, instances);
    std::optional<Duration> wait;
    Ms((name + ".duration_ms").c_str(), m.until_case() == v2::Stage::kDurationMs, m.duration_ms(), wait);
    Stage stage{.wait = wait};
    if (m.until_case() == v2::Stage::kVerdict) {
      AskedOf(name + ".verdict", m.verdict(), stage);
    } else if (!wait && m.until_case() != v2::Stage::kDurationMs && !m.promotion()) {
      Take(Error{ErrorKind::kInvalidArgument,
                 Field(name.c_str()) + " does not say until when: duration_ms, promotion: true, or verdict"});
    }
    if (!instances || !first_) return;
    stage.instances = *instances;
    out.push_back(std::move(stage));
  }
  void AskedOf(const std::string& name, const v2::Verdict& m, Stage& stage) {
    const bool http = m.url().starts_with("http://") || m.url().starts_with("https://");
    if (!http)
      Take(Error{ErrorKind::kInvalidArgument,
                 Field((name + ".url").c_str()) + " is " + Shown(m.url()) + "; it takes http:// or https://"});
    Take(CheckText(Field((name + ".url").c_str()), m.url(), kUrlBytesMost));
    stage.verdict_url = m.url();
    if (m.timeout_ms() == 0) return;
    if (Take(CheckRange(Field((name + ".timeout_ms").c_str()), m.timeout_ms(), 100, 60000))) {
      stage.verdict_timeout = milliseconds(m.timeout_ms());
    }
  }
  bool Take(Status status) {
    if (!status && first_.ok()) first_ = std::move(status);
    return first_.ok();
  }
  const Status& first() const { return first_; }

 private:
  static std::string Field(const char* name) { return std::string("strategy.") + name; }

  Status first_ = Done{};
};

void SetAmount(const IntOrPercent& value, v2::IntOrPercent& out) {
  value.percent ? out.set_percent(value.value) : out.set_count(value.value);
}

}  // namespace

Result<StrategyPatch> PatchFrom(const v2::Strategy& m) {
  StrategyPatch patch;
  if (!v2::Strategy::Mode_IsValid(m.mode()) || !v2::Strategy::OnFailure_IsValid(m.on_failure())) {
    return Error{ErrorKind::kInvalidArgument,
                 "strategy.mode or strategy.on_failure has a value that this version does not know"};
  }
  if (m.mode() != v2::Strategy::MODE_UNSPECIFIED) {
    patch.mode = m.mode() == v2::Strategy::RECREATE ? Mode::kRecreate : Mode::kRolling;
  }
  if (m.on_failure() != v2::Strategy::ON_FAILURE_UNSPECIFIED) {
    patch.on_failure = m.on_failure() == v2::Strategy::HOLD       ? OnFailure::kHold
                       : m.on_failure() == v2::Strategy::CONTINUE ? OnFailure::kContinue
                                                                  : OnFailure::kRollback;
  }
  if (m.has_count_stopping()) patch.count_stopping = m.count_stopping();
  Reader read;
  read.Amount("max_surge", m.has_max_surge(), m.max_surge(), 0, patch.max_surge);
  read.Amount("max_unavailable", m.has_max_unavailable(), m.max_unavailable(), 0, patch.max_unavailable);
  read.Amount("max_in_flight", m.has_max_in_flight(), m.max_in_flight(), 1, patch.max_in_flight);
  read.Count("max_failures", m.has_max_failures(), m.max_failures(), 1, patch.max_failures);
  read.Count("max_failed_slots", m.has_max_failed_slots(), m.max_failed_slots(), 0, patch.max_failed_slots);
  read.Ms("min_healthy_time_ms", m.has_min_healthy_time_ms(), m.min_healthy_time_ms(), patch.min_healthy_time);
  read.Ms("start_timeout_ms", m.has_start_timeout_ms(), m.start_timeout_ms(), patch.start_timeout);
  read.Ms("progress_deadline_ms", m.has_progress_deadline_ms(), m.progress_deadline_ms(), patch.progress_deadline);
  read.Ms("wait_deadline_ms", m.has_wait_deadline_ms(), m.wait_deadline_ms(), patch.wait_deadline);
  read.Ms("bake_time_ms", m.has_bake_time_ms(), m.bake_time_ms(), patch.bake_time);
  read.Ms("drain_min_ms", m.has_drain_min_ms(), m.drain_min_ms(), patch.drain_min);
  read.Ms("drain_timeout_ms", m.has_drain_timeout_ms(), m.drain_timeout_ms(), patch.drain_timeout);
  read.Ms("stop_timeout_ms", m.has_stop_timeout_ms(), m.stop_timeout_ms(), patch.stop_timeout);
  if (m.stages_size() > 0) patch.stages.emplace();
  read.Take(CheckRange("strategy.stages.size", m.stages_size(), 0, kStagesMost));
  for (int i = 0; i < m.stages_size() && read.first(); ++i) {
    read.OneStage("stages[" + std::to_string(i) + "]", m.stages(i), *patch.stages);
  }
  if (!read.first()) return read.first().error();
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
