#include "tools/shim/steps/children.h"

#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "orchestrator/base/check.h"

namespace baton::shim {
namespace {

constexpr std::size_t kLineBytesMax = 8192;
constexpr EventLoop::Clock::duration kKillInterval = std::chrono::milliseconds(50);

UniqueFd SignalFd(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  CHECK(sigprocmask(SIG_BLOCK, &set, nullptr) == 0);
  return UniqueFd(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

void Drain(int fd) {
  signalfd_siginfo info;
  while (read(fd, &info, sizeof info) > 0) {
  }
}

}  // namespace

Children::Children(EventLoop& loop, OutputLog& log, std::function<void()> changed)
    : loop_(loop), log_(log), changed_(std::move(changed)), signals_(SignalFd(SIGCHLD)) {
  CHECK(signals_.valid());
  loop_.Watch(signals_.get(), [this] {
    Drain(signals_.get());
    Reap();
  });
}

Children::~Children() {
  loop_.Unwatch(signals_.get());
  loop_.Cancel(kill_timer_);
  for (const auto& [fd, output] : outputs_) loop_.Unwatch(fd);
}

Result<pid_t> Children::Start(const ChildSpec& spec, const std::string& label, OnExit on_exit) {
  Result<SpawnedChild> spawned = SpawnChild(spec);
  if (!spawned) return spawned.error();
  const pid_t pid = spawned->pid;
  Child child;
  child.process.identity.pid = pid;
  if (const auto stat = ReadStat(pid)) child.process.identity = stat->identity;
  child.process.label = label;
  child.process.started_at_ms = WallMillis();
  child.on_exit = std::move(on_exit);
  if (spawned->output.valid()) {
    const int fd = child.output = spawned->output.get();
    outputs_[fd] = Output{std::move(spawned->output), {}};
    loop_.Watch(fd, [this, fd] { ReadOutput(fd); });
  }
  children_[pid] = std::move(child);
  groups_.push_back(pid);
  nobody_left_ = false;
  changed_();
  return pid;
}

void Children::SignalGroup(pid_t leader, int signal) {
  // A child that was not reaped yet keeps its number: the group cannot be another's.
  if (children_.contains(leader)) kill(-leader, signal);
}

std::vector<ActionProcess> Children::running() const {
  std::vector<ActionProcess> all;
  for (const auto& [pid, child] : children_) all.push_back(child.process);
  return all;
}

void Children::Reap() {
  for (;;) {
    int wait_status = 0;
    const pid_t pid = waitpid(-1, &wait_status, WNOHANG);
    if (pid < 0) nobody_left_ = errno == ECHILD;
    if (pid <= 0) break;
    const auto found = children_.find(pid);
    if (found == children_.end()) continue;  // an adopted one
    const Child child = std::move(found->second);
    children_.erase(found);
    if (child.output >= 0) ReadOutput(child.output);
    changed_();
    child.on_exit(ExitStatus(wait_status));
  }
  FinishIfEmpty();
}

void Children::ReadOutput(int fd) {
  const auto found = outputs_.find(fd);
  if (found == outputs_.end()) return;
  std::string& line = found->second.unfinished_line;
  char piece[65536];
  // A child that writes without end must not keep the loop from everything else: what is left comes with the next
  // event.
  for (int round = 0; round < 16; ++round) {
    const ssize_t count = read(fd, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;  // nothing more for now
    if (count == 0) return CloseOutput(fd);
    for (const char c : std::string_view(piece, static_cast<std::size_t>(count))) {
      if (c != '\n') line += c;
      if (c != '\n' && line.size() < kLineBytesMax) continue;
      log_.Append(line);
      line.clear();
    }
  }
}

void Children::CloseOutput(int fd) {
  loop_.Unwatch(fd);
  if (const std::string& line = outputs_[fd].unfinished_line; !line.empty()) log_.Append(line);
  outputs_.erase(fd);
  FinishIfEmpty();
}

void Children::EndAll(EventLoop::Time patience, std::function<void()> gone) {
  patience_ = patience;
  gone_ = std::move(gone);
  KillLeftovers();
  Reap();
}

void Children::KillLeftovers() {
  if (!gone_) return;
  const std::vector<ProcessStat> left = Descendants(getpid(), AllProcesses());
  const bool patient =
      EventLoop::Clock::now() < patience_ && std::any_of(left.begin(), left.end(), [this](const auto& p) {
        return !p.dead() && std::find(groups_.begin(), groups_.end(), p.group) != groups_.end();
      });
  for (const ProcessStat& process : left) {
    if (!patient && !process.dead()) kill(process.identity.pid, SIGKILL);
  }
  // Again, because one may have forked meanwhile; SIGCHLD reports the end itself.
  kill_timer_ = loop_.After(kKillInterval, [this] { KillLeftovers(); });
}

void Children::FinishIfEmpty() {
  if (!gone_ || !nobody_left_) return;
  const std::function<void()> gone = std::exchange(gone_, nullptr);
  loop_.Cancel(kill_timer_);
  while (!outputs_.empty()) {
    const int fd = outputs_.begin()->first;
    ReadOutput(fd);
    // Still open: a process that is no child of ours holds the pipe. It is not waited for.
    if (outputs_.contains(fd)) CloseOutput(fd);
  }
  gone();
}

}  // namespace baton::shim
