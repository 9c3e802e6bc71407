#include "tools/shim/steps/child_spec.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "tools/shim/account.h"

namespace baton::shim {
namespace {

Error NoMeans(const std::string& text) { return Error{ErrorKind::kResourceExhausted, text, std::nullopt}; }

// Of what the child could not do: is it the machine's, or its own spec's?
constexpr char kLack = 'L';
constexpr char kOwn = 'O';

bool IsLack(int error) {
  return error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE || error == ENOSPC || error == EIO ||
         error == EDQUOT;
}

std::string FindProgram(const ChildSpec& spec) {
  if (spec.path.find('/') != std::string::npos) return spec.path;
  for (const std::string& assignment : spec.environment) {
    if (!assignment.starts_with("PATH=")) continue;
    std::string_view rest = std::string_view(assignment).substr(5);
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      const std::string candidate = std::string(rest.substr(0, end)) + "/" + spec.path;
      if (access(candidate.c_str(), X_OK) == 0) return candidate;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return "./" + spec.path;
}

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Everything that the child needs, made before the fork.
struct Prepared {
  const ChildSpec& spec;
  Account account;
  std::string program;
  std::vector<std::string> arguments;
  UniqueFd output_read;
  UniqueFd output_write;
  UniqueFd failure_read;  // the child writes here why it could not start; closed by exec
  UniqueFd failure_write;
  pid_t parent = 0;
};

[[noreturn]] void FailWith(const Prepared& prepared, char owner, const std::string& text) {
  const std::string told = owner + text;
  if (write(prepared.failure_write.get(), told.data(), told.size()) < 0) _exit(126);
  _exit(127);
}

[[noreturn]] void Fail(const Prepared& prepared, char owner, const char* what) {
  FailWith(prepared, owner, std::string(what) + ": " + std::strerror(errno));
}

void JoinCgroup(const Prepared& prepared) {
  if (prepared.spec.cgroup.empty()) return;
  const UniqueFd file(open((prepared.spec.cgroup + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.valid() || write(file.get(), "0", 1) != 1) Fail(prepared, kLack, "cannot join its cgroup");
}

void LimitOpenFiles(const Prepared& prepared) {
  if (!prepared.spec.open_files_max) return;
  rlimit limit{};
  limit.rlim_cur = limit.rlim_max = *prepared.spec.open_files_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) Fail(prepared, kLack, "cannot set the limit of open files");
}

void OpenStandardStreams(const Prepared& prepared) {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  const int out = prepared.output_write.valid() ? prepared.output_write.get() : nothing;
  if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) Fail(prepared, kLack, "cannot set output");
}

void ResetSignals() {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGCHLD, SIGQUIT}) std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void RunChild(const Prepared& prepared) {
  setsid();
  JoinCgroup(prepared);
  LimitOpenFiles(prepared);
  // Our own code becomes its user when it is ready to.
  if (!prepared.spec.code) {
    if (const Status done = BecomeAccount(prepared.account); !done) FailWith(prepared, kLack, done.error().message);
  }
  // After the change of user, which clears it.
  DieWithParent(prepared.parent);
  OpenStandardStreams(prepared);
  if (!prepared.spec.dir.empty() && chdir(prepared.spec.dir.c_str()) != 0) {
    Fail(prepared, IsLack(errno) ? kLack : kOwn, "cannot enter its directory");
  }
  ResetSignals();
  if (prepared.spec.code) {
    close(prepared.failure_write.get());
    const int code = prepared.spec.code();
    std::fflush(nullptr);
    _exit(code);
  }
  execve(prepared.program.c_str(), Pointers(prepared.arguments).data(), Pointers(prepared.spec.environment).data());
  Fail(prepared, IsLack(errno) ? kLack : kOwn, "cannot be executed");
}

bool OpenPipe(UniqueFd& read_end, UniqueFd& write_end) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  read_end = UniqueFd(ends[0]);
  write_end = UniqueFd(ends[1]);
  return true;
}

std::string ReadAll(int fd) {
  std::string text;
  char piece[512];
  for (;;) {
    const ssize_t count = read(fd, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(piece, static_cast<std::size_t>(count));
  }
}

}  // namespace

Result<SpawnedChild> SpawnChild(const ChildSpec& spec) {
  const Result<Account> account = FindAccount(spec.user);
  if (!account) return NoMeans(account.error().message);
  Prepared prepared{spec, *account, {}, {}, {}, {}, {}, {}, getpid()};
  if (!spec.code) {
    prepared.program = FindProgram(spec);
    prepared.arguments = spec.arguments;
    prepared.arguments.insert(prepared.arguments.begin(), spec.path);
  }
  if (!OpenPipe(prepared.failure_read, prepared.failure_write) ||
      (!spec.discard_output && !OpenPipe(prepared.output_read, prepared.output_write))) {
    return NoMeans(std::string("no pipe: ") + std::strerror(errno));
  }
  std::fflush(nullptr);  // or a forked copy would write it again
  const pid_t pid = fork();
  if (pid < 0) return NoMeans(std::string("cannot fork: ") + std::strerror(errno));
  if (pid == 0) RunChild(prepared);
  prepared.failure_write.Reset();
  prepared.output_write.Reset();
  const std::string failure = ReadAll(prepared.failure_read.get());
  if (!failure.empty()) {
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return failure[0] == kLack ? NoMeans(failure.substr(1)) : InvalidArgument(failure.substr(1));
  }
  if (prepared.output_read.valid()) fcntl(prepared.output_read.get(), F_SETFL, O_NONBLOCK);
  return SpawnedChild{pid, std::move(prepared.output_read)};
}

void DieWithParent(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it died before the line above
}

int ExitStatus(int wait_status) { return WIFSIGNALED(wait_status) ? -WTERMSIG(wait_status) : WEXITSTATUS(wait_status); }

std::string DescribeExit(int exit_status) {
  if (exit_status >= 0) return "exited with status " + std::to_string(exit_status);
  const char* name = sigabbrev_np(-exit_status);
  return "was killed by signal " + std::to_string(-exit_status) + (name ? " (SIG" + std::string(name) + ")" : "");
}

}  // namespace baton::shim
