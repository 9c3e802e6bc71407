#include "tools/cell/health/health_runner.h"

#include <utility>

#include "tools/shim/output_log.h"

namespace baton::cell {
namespace {

// The last line, for a reason of one sentence.
std::string LastLineOf(const std::string& log) {
  const std::string text = shim::LastLines(log, 200);
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "failed";
  const std::size_t begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

}  // namespace

HealthRunner::HealthRunner(shim::EventLoop& loop, Prober& prober, Programs& programs, std::string shim_path,
                           shim::InstanceDir dir, std::vector<CheckSpec> checks, bool was_ready, OnEvent on_event)
    : loop_(loop), prober_(prober), programs_(programs), shim_path_(std::move(shim_path)), dir_(std::move(dir)),
      law_(std::move(checks), was_ready, shim::EventLoop::Clock::now()), on_event_(std::move(on_event)) {
  RunDue();
}

void HealthRunner::Stop() {
  *alive_ = false;
  loop_.Cancel(due_timer_);
  loop_.Cancel(monitor_timer_);
  programs_.Kill(monitor_);
}

void HealthRunner::RunDue() {
  loop_.Cancel(due_timer_);
  for (const std::size_t check : law_.TakeDue(shim::EventLoop::Clock::now())) Begin(check);
  if (const auto next = law_.NextDue()) {
    due_timer_ = loop_.At(*next, [this] { RunDue(); });
  }
}

void HealthRunner::Begin(std::size_t check) {
  if (law_.spec(check).kind == CheckSpec::Kind::kMonitor) return BeginMonitor(check);
  prober_.Probe(law_.spec(check), [this, alive = alive_, check](const CheckResult& result) {
    if (*alive) Ended(check, result);
  });
}

void HealthRunner::BeginMonitor(std::size_t check) {
  const Result<pid_t> started =
      programs_.Start({shim_path_, "--once", dir_.path}, [this, alive = alive_, check](int exit_status) {
        if (!*alive) return;
        monitor_ = 0;
        loop_.Cancel(monitor_timer_);
        Ended(check, {exit_status == 0, exit_status == 0 ? "" : LastLineOf(shim::ReadOutputLog(dir_.MonitorLog()))});
      });
  if (!started) {
    // Never from within RunDue: the law is asked there.
    return loop_.Post([this, alive = alive_, check, message = started.error().message] {
      if (*alive) Ended(check, {false, message});
    });
  }
  monitor_ = *started;
  monitor_timer_ = loop_.After(law_.spec(check).timeout, [this] { programs_.Kill(monitor_); });
}

void HealthRunner::Ended(std::size_t check, const CheckResult& result) {
  // What it means first: it may be the end of the checks.
  const std::optional<InstanceEvent> event = law_.OnResult(check, result, shim::EventLoop::Clock::now());
  if (event) on_event_(*event);
  if (*alive_) RunDue();
}

}  // namespace baton::cell
