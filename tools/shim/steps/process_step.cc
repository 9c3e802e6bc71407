#include "tools/shim/steps/process_step.h"

#include <csignal>
#include <map>

namespace baton::shim {

ProcessStep::ProcessStep(StepContext& context, ChildSpec spec, std::string label)
    : context_(context), spec_(std::move(spec)), label_(std::move(label)) {}

ProcessStep::~ProcessStep() { context_.loop.Cancel(kill_timer_); }

void ProcessStep::Start(Done done) {
  if (stopped_) return done({false, std::nullopt, label_ + " was stopped before it began", label_});
  const Result<pid_t> pid = context_.children.Start(spec_, label_, [this](int exit_status) { Ended(exit_status); });
  if (!pid) {
    const bool lacks = pid.error().kind == ErrorKind::kResourceExhausted;
    return done({false, std::nullopt, label_ + ": " + pid.error().message, label_, lacks});
  }
  pid_ = *pid;
  done_ = std::move(done);
}

void ProcessStep::Stop(StepGrace grace) {
  stopped_ = true;
  if (pid_ == 0) return;
  context_.children.SignalGroup(pid_, SIGTERM);
  const EventLoop::Time kill_at = EventLoop::Clock::now() + grace;
  if (kill_at >= kill_at_) return;
  kill_at_ = kill_at;
  context_.loop.Cancel(kill_timer_);
  kill_timer_ = context_.loop.At(kill_at, [this] { context_.children.SignalGroup(pid_, SIGKILL); });
}

void ProcessStep::Ended(int exit_status) {
  pid_ = 0;
  context_.loop.Cancel(kill_timer_);
  if (exit_status == 0) return done_({true, exit_status, "", ""});
  done_({false, exit_status, label_ + " " + DescribeExit(exit_status), label_});
}

std::vector<std::string> Environment(const StepContext& context, const v1::RunAction& run) {
  std::map<std::string, std::string> all{
      {"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
      {"HOME", context.root},
      {"LANG", "C.UTF-8"},
  };
  if (!run.user().empty()) all["USER"] = run.user();
  for (const v1::EnvironmentVariable& variable : context.definition_environment)
    all[variable.name()] = variable.value();
  for (const v1::EnvironmentVariable& variable : run.env()) all[variable.name()] = variable.value();
  for (const auto& [name, value] : context.launch.environment) all[name] = value;
  all[kInstanceMark] = context.launch.instance_guid;
  std::vector<std::string> assignments;
  for (const auto& [name, value] : all) assignments.push_back(name + "=" + value);
  return assignments;
}

}  // namespace baton::shim
