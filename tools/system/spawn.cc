#include "tools/system/spawn.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

#include "orchestrator/base/check.h"
#include "tools/system/pidfd.h"

namespace baton {
namespace {

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<char*> Pointers(std::vector<std::string>&&) = delete;  // they would lead nowhere

// All that the child needs: it may not allocate.
struct Prepared {
  const ProgramStart& start;
  char* const* arguments;
  char* const* environment;
  int failure;  // it writes errno here
  pid_t parent;
  sigset_t blocked;
};

// setgroups() and its like of glibc speak to all threads of the process, which after vfork are the parent's.
bool BecomeUser(const UnixUser& user) {
  return syscall(SYS_setgroups, 0, nullptr) == 0 && syscall(SYS_setgid, user.gid) == 0 &&
         syscall(SYS_setuid, user.uid) == 0;
}

// No handler of the parent may run in its memory once signals are let through.
void ResetSignals(bool ignored_too) {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0) continue;
    if (action.sa_handler == SIG_DFL || (action.sa_handler == SIG_IGN && !ignored_too)) continue;
    action = {};
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, nullptr);
  }
}

bool SetUp(const Prepared& prepared) {
  const ProgramStart& start = prepared.start;
  if (start.new_session && setsid() < 0) return false;
  if (start.user && !BecomeUser(*start.user)) return false;
  if (start.parent_death_signal != 0) {  // after the change of user, which forgets it
    if (prctl(PR_SET_PDEATHSIG, start.parent_death_signal) != 0) return false;
    if (getppid() != prepared.parent) {
      errno = ESRCH;  // the parent died before the line above
      return false;
    }
  }
  if (!start.directory.empty() && chdir(start.directory.c_str()) != 0) return false;
  const int errors =
      start.errors < 0 ? -1 : fcntl(start.errors, F_DUPFD_CLOEXEC, 3);  // it may be what stdout is put on
  if (start.output >= 0 && dup2(start.output, STDOUT_FILENO) < 0) return false;
  if (start.errors >= 0 && dup2(errors, STDERR_FILENO) < 0) return false;
  const int null = open("/dev/null", O_RDONLY);
  if (null < 0 || dup2(null, STDIN_FILENO) < 0) return false;
  if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) != 0) return false;
  ResetSignals(start.default_signals);
  sigset_t none;
  sigemptyset(&none);
  return sigprocmask(SIG_SETMASK, start.unblock_signals ? &none : &prepared.blocked, nullptr) == 0;
}

// In the memory of the parent, which stands still meanwhile: only what a signal handler may do, too.
[[noreturn]] void Become(const Prepared& prepared) {
  const int failure = prepared.failure > 2 ? prepared.failure : fcntl(prepared.failure, F_DUPFD_CLOEXEC, 3);
  if (SetUp(prepared)) execvpe(prepared.arguments[0], prepared.arguments, prepared.environment);
  const int why = errno;
  const ssize_t ignored = write(failure, &why, sizeof why);
  static_cast<void>(ignored);
  _exit(127);
}

// Not posix_spawn, which knows neither another user nor the parent's death; by the same means: the copy of a large
// process would take long. To become another user in the parent's memory would change whether the parent may be traced
// or leave a core file (prctl(2), PR_SET_DUMPABLE), so that is a copy. In a function of its own, whose variables the
// child cannot touch.
[[gnu::noinline]] pid_t Vfork(const Prepared& prepared) {
  const pid_t pid = prepared.start.user ? _Fork() : vfork();
  if (pid == 0) Become(prepared);
  return pid;
}

Error CannotStart(const std::string& program, int why) {
  return {ErrorKind::kInternal, "cannot start " + program + ": " + std::strerror(why), {}};
}

}  // namespace

Result<Process> Process::Spawn(const ProgramStart& start) {
  const std::vector<char*> arguments = Pointers(start.arguments);
  const std::vector<char*> environment = start.environment ? Pointers(*start.environment) : std::vector<char*>{};
  PipeEnds failure = MakePipe();
  if (!failure.write.valid()) return CannotStart(start.arguments[0], errno);
  Prepared prepared{
      start, arguments.data(), start.environment ? environment.data() : environ, failure.write.get(), getpid(), {}};
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &prepared.blocked);
  const pid_t pid = Vfork(prepared);
  const int no_child = errno;
  pthread_sigmask(SIG_SETMASK, &prepared.blocked, nullptr);
  if (pid < 0) return CannotStart(start.arguments[0], no_child);
  Process process(pid, OpenPidfd(pid));  // our child, not reaped: the number is still its own
  const int no_pidfd = errno;
  failure.write.Reset();
  int why = 0;
  ssize_t told = 0;
  while ((told = read(failure.read.get(), &why, sizeof why)) < 0 && errno == EINTR) {
  }
  if (told != sizeof why && process.fd_.valid()) return process;
  if (told != sizeof why) {  // it runs, and cannot be held
    why = no_pidfd;
    kill(pid, SIGKILL);
  }
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return CannotStart(start.arguments[0], why);
}

std::optional<Process> Process::Open(pid_t pid) {
  UniqueFd fd = OpenPidfd(pid);
  if (!fd.valid()) return std::nullopt;
  Process process(pid, std::move(fd));
  if (!process.Running()) return std::nullopt;  // a zombie
  return process;
}

bool Process::Running() const {
  pollfd ended{.fd = fd_.get(), .events = POLLIN, .revents = 0};
  return poll(&ended, 1, 0) == 0;
}

void Process::Signal(int signal) const { SignalPidfd(fd_, signal); }

bool Process::WaitForEnd(std::chrono::milliseconds limit) {
  using std::chrono::steady_clock;
  const auto deadline = steady_clock::now() + limit;
  pollfd ended{.fd = fd_.get(), .events = POLLIN, .revents = 0};
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now());
    const int ready = poll(&ended, 1, static_cast<int>(std::max<std::int64_t>(0, left.count())));
    if (ready > 0) break;
    if (ready == 0) return false;
    CHECK(errno == EINTR);
  }
  Reap(WNOHANG);
  return true;
}

void Process::WaitForEnd() {
  while (!WaitForEnd(std::chrono::hours(1))) {
  }
  if (!exit_status_) Reap(0);  // it is traced: its tracer has its end first
}

void Process::Reap(int options) {
  siginfo_t how{};
  rusage usage{};
  // The system call tells of its use, too, as waitid() does not.
  int failed = 0;
  while ((failed = static_cast<int>(syscall(SYS_waitid, P_PIDFD, fd_.get(), &how, WEXITED | options, &usage))) != 0 &&
         errno == EINTR) {
  }
  if (failed != 0 || how.si_pid == 0) return;
  exit_status_ = how.si_code == CLD_EXITED ? how.si_status : -how.si_status;
  const auto duration = [](const timeval& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
  };
  cpu_ = duration(usage.ru_utime) + duration(usage.ru_stime);
}

std::string Process::ProgramName() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

std::string DescribeEnd(std::optional<int> exit_status) {
  if (!exit_status) return "ended";
  return *exit_status >= 0 ? "exit status " + std::to_string(*exit_status) : "signal " + std::to_string(-*exit_status);
}

Result<Process> SpawnInBackground(const std::vector<std::string>& arguments, const std::string& log_path) {
  const UniqueFd log(open(log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640));
  if (!log.valid()) return Error{ErrorKind::kInternal, "cannot write " + log_path + ": " + std::strerror(errno), {}};
  return Process::Spawn({.arguments = arguments,
                         .output = log.get(),
                         .errors = log.get(),
                         .new_session = true,
                         .unblock_signals = true,
                         .default_signals = true});
}

PipeEnds MakePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

}  // namespace baton
