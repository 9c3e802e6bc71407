#include "tools/stack/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <deque>
#include <fstream>

#include "tools/cell/machine/pidfd.h"
#include "tools/shim/steps/child_spec.h"
#include "tools/stack/stack_error.h"

namespace baton {
namespace {

constexpr std::size_t kLinesShown = 12;
constexpr std::size_t kLineMost = 300;

// After a fork with threads about: only what a signal handler may do.
[[noreturn]] void Become(char* const* arguments, char* const* environment, int log, pid_t parent) {
  setsid();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(126);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, 0);
  dup2(log, 1);
  dup2(log, 2);
  close_range(3, ~0U, 0);
  execve(arguments[0], arguments, environment);
  _exit(127);
}

Program::Ended& WhoIsTold() {
  static Program::Ended ended;
  return ended;
}

}  // namespace

void Program::OnEnd(Ended ended) { WhoIsTold() = std::move(ended); }

Program::Program(Start start) : start_(std::move(start)) {
  if (access(start_.command[0].c_str(), X_OK) != 0) {
    throw StackError("there is no program " + start_.command[0] + ": build it first (./dev demo does)");
  }
  std::vector<char*> arguments;
  for (std::string& word : start_.command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::vector<char*> environment;
  for (std::string& variable : start_.environment) environment.push_back(variable.data());
  for (char** variable = environ; *variable; ++variable) environment.push_back(*variable);  // the first of a name counts
  environment.push_back(nullptr);
  const UniqueFd log(open(start_.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!log.valid()) throw StackError("cannot write " + start_.log + ": " + std::strerror(errno));
  log_begins_ = static_cast<std::uintmax_t>(std::max<off_t>(0, lseek(log.get(), 0, SEEK_END)));
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) Become(arguments.data(), environment.data(), log.get(), parent);
  if (pid_ < 0) throw StackError("cannot start " + start_.name + ": " + std::strerror(errno));
  pidfd_ = OpenPidfd(pid_);
}

Program::~Program() { Kill(); }

bool Program::Running() { return !WaitForEnd(std::chrono::milliseconds(0)); }

void Program::Signal(int signal) {
  if (!exit_status_) kill(pid_, signal);  // not waited for yet: the number is still its own
}

bool Program::WaitForEnd(std::chrono::milliseconds limit) {
  if (exit_status_) return true;
  pollfd ended{.fd = pidfd_.get(), .events = POLLIN, .revents = 0};
  poll(&ended, 1, static_cast<int>(limit.count()));
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
  exit_status_ = ExitStatus(status);
  if (WhoIsTold()) WhoIsTold()(start_, log_begins_);
  return true;
}

void Program::Kill() {
  Signal(SIGKILL);
  while (!WaitForEnd(std::chrono::seconds(1))) {
  }
}

std::string Program::Describe(const std::string& what) const {
  std::string text = start_.name + " " + what;
  if (exit_status_) text += "; it " + DescribeExit(*exit_status_);
  text += "\n  its log: " + start_.log + ", which ends:\n" + LastLines(start_.log, kLinesShown);
  return text;
}

std::string LastLines(const std::string& path, std::size_t count) {
  std::ifstream file(path);
  std::deque<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    lines.push_back("    " + line.substr(0, kLineMost) + "\n");
    if (lines.size() > count) lines.pop_front();
  }
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace baton
