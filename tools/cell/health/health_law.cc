#include "tools/cell/health/health_law.h"

#include <algorithm>
#include <utility>

namespace baton::cell {

using Purpose = CheckSpec::Purpose;

HealthLaw::HealthLaw(std::vector<CheckSpec> checks, bool was_ready, CheckTime now) : ready_(was_ready) {
  for (CheckSpec& spec : checks) {
    Check check{.spec = std::move(spec), .passed = was_ready, .due = now};
    if (was_ready && check.spec.purpose == Purpose::kStart) check.due = std::nullopt;
    checks_.push_back(std::move(check));
  }
}

std::vector<std::size_t> HealthLaw::TakeDue(CheckTime now) {
  std::vector<std::size_t> taken;
  for (std::size_t i = 0; i < checks_.size(); ++i) {
    if (!checks_[i].due || *checks_[i].due > now) continue;
    checks_[i].due = std::nullopt;
    taken.push_back(i);
  }
  return taken;
}

std::optional<CheckTime> HealthLaw::NextDue() const {
  std::optional<CheckTime> next;
  for (const Check& check : checks_) {
    if (check.due && (!next || *check.due < *next)) next = check.due;
  }
  return next;
}

std::optional<InstanceEvent> HealthLaw::OnResult(std::size_t which, const CheckResult& result, CheckTime now) {
  Check& check = checks_[which];
  check.passed = result.passed;
  check.failures_in_row = result.passed ? 0 : check.failures_in_row + 1;
  if (!result.passed) last_failure_ = Describe(check.spec) + ": " + result.message;
  const bool was_ready = ready_;
  const std::optional<InstanceEvent> event = ready_ ? WhenReady(check) : BeforeReady();
  if (!was_ready && ready_) {
    // Those that passed earlier rest until now: from here on each has its own interval.
    for (Check& each : checks_) {
      if (each.spec.purpose != Purpose::kStart) each.due = now + each.spec.interval;
    }
  } else if (!ready_) {
    if (!check.passed) check.due = now + kStartInterval;
  } else if (check.spec.purpose == Purpose::kReadiness && !check.passed) {
    check.due = now + std::min(kStartInterval, check.spec.interval);
  } else {
    check.due = now + check.spec.interval;
  }
  return event;
}

bool HealthLaw::AllPassed() const {
  return std::all_of(checks_.begin(), checks_.end(), [](const Check& check) { return check.passed; });
}

std::optional<InstanceEvent> HealthLaw::BeforeReady() {
  if (!AllPassed()) return std::nullopt;
  ready_ = true;
  return event::Ready{};
}

std::optional<InstanceEvent> HealthLaw::WhenReady(const Check& check) {
  if (check.spec.purpose == Purpose::kReadiness) {
    const bool all = std::all_of(checks_.begin(), checks_.end(), [](const Check& each) {
      return each.spec.purpose != Purpose::kReadiness || each.passed;
    });
    // Told each time; the instance's law knows whether it is news.
    return event::ReadinessChanged{all};
  }
  if (check.failures_in_row < kLivenessFailuresMax) return std::nullopt;
  return event::LivenessLost{"unhealthy: " + last_failure_ + ", " + std::to_string(check.failures_in_row) +
                             " times in a row"};
}

std::string Describe(const CheckSpec& spec) {
  switch (spec.kind) {
    case CheckSpec::Kind::kTcp: return "TCP port " + std::to_string(spec.port);
    case CheckSpec::Kind::kHttp: return "HTTP port " + std::to_string(spec.port) + " " + spec.path;
    case CheckSpec::Kind::kMonitor: return "monitor action";
  }
  return "";
}

}  // namespace baton::cell
