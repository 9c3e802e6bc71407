#include "tools/cell/instances/shim_handle.h"

#include <csignal>

#include "tools/shim/atomic_file.h"
#include "tools/shim/exit_codes.h"
#include "tools/shim/output_log.h"
#include "tools/shim/steps/child_spec.h"
#include "tools/system/pidfd.h"

namespace baton::cell {
namespace {

constexpr std::chrono::milliseconds kLockRetryInterval{20};
constexpr char kShimKilled[] = "the shim was killed";

}  // namespace

ShimHandle::ShimHandle(shim::EventLoop& loop, Programs& programs, DirWatcher& watcher, std::string shim_path,
                       shim::InstanceDir dir, std::string instance_guid, Events events)
    : loop_(loop), programs_(programs), watcher_(watcher), shim_path_(std::move(shim_path)), dir_(std::move(dir)),
      instance_guid_(std::move(instance_guid)), events_(std::move(events)) {}

ShimHandle::~ShimHandle() {
  *alive_ = false;
  if (pidfd_.valid()) loop_.Unwatch(pidfd_.get());
  watcher_.Unwatch(watch_);
  loop_.Cancel(timer_);
}

void ShimHandle::Launch() {
  const Result<pid_t> started = programs_.Start({shim_path_, dir_.path}, [this, alive = alive_](int exit_status) {
    if (*alive) LauncherEnded(exit_status);
  });
  if (!started) events_.failed(started.error().message);
}

void ShimHandle::LauncherEnded(int exit_status) {
  // Another shim has it: started by a former life of the cell, between two lines. It is as good.
  if (exit_status == shim::kShimUp || exit_status == shim::kShimOtherHasIt || exit_status == shim::kShimTooLate)
    return Adopt();
  Seal("the shim did not start");
  events_.failed("the shim did not start: " + shim::DescribeExit(exit_status));
}

bool ShimHandle::WasStarted() const { return shim::ReadState(dir_).has_value() || shim::IsLocked(dir_.Lock()); }

void ShimHandle::Adopt() {
  const std::optional<shim::ShimState> state = shim::ReadState(dir_);
  if (!state && shim::IsLocked(dir_.Lock())) {  // it took the lock and has not written yet
    timer_ = loop_.After(kLockRetryInterval, [this] { Adopt(); });
    return;
  }
  events_.up();
  watch_ = watcher_.Watch(dir_.path, [this](const std::string& name) {
    if (name.empty() || dir_.State() == dir_.path + "/" + name) LookAtState();
  });
  if (state && state->phase != shim::ShimPhase::kExited && state->boot_id == shim::BootId()) {
    pidfd_ = OpenPidfd(state->shim.pid);
    // Looked at after it was opened: so it is this one that is open, or none.
    if (pidfd_.valid() && !shim::Lives(state->shim)) pidfd_.Reset();
  }
  if (!pidfd_.valid()) return Gone();
  loop_.Watch(pidfd_.get(), [this] { Gone(); });
  LookAtState();
}

void ShimHandle::LookAtState() {
  if (told_running_ || ended_) return;
  const std::optional<shim::ShimState> state = shim::ReadState(dir_);
  if (!state || state->running_at_ms == 0 || state->phase == shim::ShimPhase::kExited) return;
  told_running_ = true;
  events_.running();
}

Swept ShimHandle::With(const shim::ShimState& state) const {
  return {instance_guid_, state, shim::ReadLaunch(dir_).value_or(baton::shim::Launch()).cgroup};
}

void ShimHandle::Gone() {
  if (ended_) return;
  const std::optional<shim::ShimState> state = shim::ReadState(dir_);
  if (pidfd_.valid()) loop_.Unwatch(pidfd_.get());
  pidfd_.Reset();
  if (!state || state->phase != shim::ShimPhase::kExited) return DeclareDead();
  ended_ = true;
  // Monitor runs are no children of the shim: what one left behind, killed together with the cell, is still there.
  if (!shim::ReadWholeFile(dir_.MonitorLog())) return events_.ended(*state);
  SweepInstance(loop_, With(*state), [this, alive = alive_, last = *state] {
    if (*alive) events_.ended(last);
  });
}

void ShimHandle::DeclareDead() {
  UniqueFd lock = shim::TryLock(dir_.Lock());
  if (!lock.valid()) {
    timer_ = loop_.After(kLockRetryInterval, [this] { Gone(); });
    return;
  }
  shim::ShimState state = shim::ReadState(dir_).value_or(shim::ShimState{});
  if (state.phase == shim::ShimPhase::kExited) return Gone();
  // Held until the last state is written: a shim that comes late finds that, and does not start.
  auto held = std::make_shared<UniqueFd>(std::move(lock));
  SweepInstance(loop_, With(state), [this, alive = alive_, held, state]() mutable {
    if (!*alive) return;
    const bool ran = state.running_at_ms != 0 || !state.processes.empty();
    state.phase = shim::ShimPhase::kExited;
    state.exit_status = ran ? std::optional<int>(-SIGKILL) : std::nullopt;  // as its processes were
    state.lacks = !ran;
    state.reason = kShimKilled;
    state.failed_action = "";
    state.processes.clear();
    state.ended_at_ms = shim::WallMillis();
    state.last_output = shim::LastLines(shim::ReadOutputLog(dir_.Log()), shim::OutputLog::kTailBytesMax);
    const Status written = shim::WriteState(dir_, state);
    ended_ = true;
    if (!written) state.reason += "; " + written.error().message;
    events_.ended(state);
  });
}

void ShimHandle::Seal(const std::string& reason) {
  const UniqueFd lock = shim::TryLock(dir_.Lock());
  if (!lock.valid() || shim::ReadState(dir_)) return;
  shim::ShimState state;
  state.phase = shim::ShimPhase::kExited;
  state.boot_id = shim::BootId();
  state.lacks = true;
  state.reason = reason;
  state.ended_at_ms = shim::WallMillis();
  // Without a directory no shim can start in it either.
  [[maybe_unused]] const bool written = shim::WriteState(dir_, state).ok();
}

void ShimHandle::Stop(std::int64_t grace_ms) {
  const std::optional<shim::ShimState> state = shim::ReadState(dir_);
  const std::optional<std::int64_t> asked = shim::ReadStop(dir_);
  // A former life of the cell asked already: a second SIGTERM would mean "at once" to many programs.
  if (state && state->phase == shim::ShimPhase::kStopping && asked && *asked <= grace_ms) return;
  // A stop file that cannot be written costs the order's grace; the launch's counts then.
  [[maybe_unused]] const bool written = shim::WriteStop(dir_, grace_ms).ok();
  SignalPidfd(pidfd_, SIGTERM);
}

void ShimHandle::Kill() { SignalPidfd(pidfd_, SIGKILL); }

}  // namespace baton::cell
