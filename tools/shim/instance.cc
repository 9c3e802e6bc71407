#include "tools/shim/instance.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "tools/shim/steps/plan.h"

namespace baton::shim {

Instance::Instance(EventLoop& loop, InstanceDir dir, std::function<void()> ended)
    : loop_(loop), dir_(std::move(dir)), ended_(std::move(ended)), log_(dir_.Log()),
      children_(loop, log_, [this] { SaveState(); }) {
  state_.boot_id = BootId();
  if (const auto self = ReadStat(getpid())) state_.shim = self->identity;
  state_.started_at_ms = WallMillis();
}

void Instance::Start() {
  SaveState();
  const Result<v1::DesiredLRPRunInfo> plan = ReadPlan(dir_);
  const std::optional<Launch> launch = ReadLaunch(dir_);
  if (!plan || !launch) {
    const bool lacks = plan || plan.error().kind != ErrorKind::kInvalidArgument;
    return Ended({false, {}, plan ? "the launch cannot be read" : plan.error().message, "setup", lacks});
  }
  context_ = std::make_unique<StepContext>(
      StepContext{loop_,
                  children_,
                  log_,
                  dir_.Root(),
                  *launch,
                  {plan->environment_variables().begin(), plan->environment_variables().end()},
                  UserOf(plan->action())});
  // It may have been told to stop before it could be signalled.
  if (ReadStop(dir_)) Stop();
  Begin(*plan);
}

void Instance::Begin(const v1::DesiredLRPRunInfo& plan) {
  plan_ = plan;
  const Status ready = PrepareRoot(dir_.Root(), UserOf(plan_.action()), FilesOf(plan_));
  if (!ready) {
    return Ended({false, {}, ready.error().message, "setup", ready.error().kind != ErrorKind::kInvalidArgument});
  }
  setup_ = MakeSetup(plan_, *context_);
  if (!setup_) return RunLongRunning();
  current_ = setup_.get();
  if (state_.phase == ShimPhase::kStopping) current_->Stop({});
  setup_->Start([this](Outcome outcome) { SetupEnded(std::move(outcome)); });
}

void Instance::SetupEnded(Outcome outcome) {
  if (!outcome.ok) return Ended(std::move(outcome));
  RunLongRunning();
}

void Instance::RunLongRunning() {
  if (state_.phase == ShimPhase::kStopping) return Ended({false, {}, "stopped before its action began", ""});
  long_running_ = MakeLongRunning(plan_, *context_);
  current_ = long_running_.get();
  state_.running_at_ms = WallMillis();
  state_.phase = ShimPhase::kRunning;
  long_running_->Start([this](Outcome outcome) { Ended(std::move(outcome)); });
}

void Instance::Stop() {
  if (!context_ || state_.phase == ShimPhase::kExited) return;
  const auto grace = std::chrono::milliseconds(ReadStop(dir_).value_or(context_->launch.grace_ms));
  stop_deadline_ = EventLoop::Clock::now() + grace;
  Enter(ShimPhase::kStopping);
  if (current_) current_->Stop(grace);
}

void Instance::Ended(Outcome outcome) {
  current_ = nullptr;
  state_.exit_status = outcome.exit_status;
  state_.reason = outcome.reason;
  state_.failed_action = outcome.action;
  state_.lacks = !children_.started_any() && (outcome.lacks || state_.phase == ShimPhase::kStopping);
  // Told to stop, the rest of the action's groups may use the grace too: a shell that dies of SIGTERM at once must not
  // take the server with it that is still answering its last requests.
  children_.EndAll(stop_deadline_, [this] { Gone(); });
}

void Instance::Gone() {
  state_.ended_at_ms = WallMillis();
  state_.last_output = LastLines(log_.tail(), OutputLog::kTailBytesMax);
  Enter(ShimPhase::kExited);
  ended_();
}

void Instance::Enter(ShimPhase phase) {
  state_.phase = phase;
  SaveState();
}

void Instance::SaveState() {
  state_.processes = children_.running();
  // On a full disk the state is written later or never; the cell then sees the lock free and no last state.
  if (const Status written = WriteState(dir_, state_); !written) log_.Append("shim: " + written.error().message);
}

}  // namespace baton::shim
