#include "tests/examples/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <system_error>

namespace baton {
namespace {

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

ChildProcess::ChildProcess(const Start& start) {
  std::vector<std::string> arguments = start.arguments;
  arguments.insert(arguments.begin(), start.program);
  std::vector<std::string> settings;
  for (const auto& [name, value] : start.environment) settings.push_back(name + "=" + value);

  int pipe_fds[2];
  if (pipe2(pipe_fds, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe2");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], STDOUT_FILENO);
  const int error = posix_spawn(&pid_, start.program.c_str(), &actions, nullptr, Pointers(arguments).data(),
                                Pointers(settings).data());
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_fds[1]);
  output_fd_ = pipe_fds[0];
  if (error != 0) throw std::system_error(error, std::generic_category(), "posix_spawn " + start.program);
}

ChildProcess::~ChildProcess() {
  if (!ended_) {
    Signal(SIGKILL);
    WaitForEnd();
  }
  close(output_fd_);
}

void ChildProcess::Signal(int signal) {
  if (!ended_) kill(pid_, signal);
}

bool ChildProcess::ReadMore(std::chrono::milliseconds timeout) {
  pollfd waiting{.fd = output_fd_, .events = POLLIN, .revents = 0};
  if (poll(&waiting, 1, static_cast<int>(timeout.count())) <= 0) return false;
  char bytes[4096];
  const ssize_t count = read(output_fd_, bytes, sizeof(bytes));
  if (count <= 0) return false;
  output_.append(bytes, static_cast<std::size_t>(count));
  return true;
}

std::string ChildProcess::FirstLine() {
  while (output_.find('\n') == std::string::npos) {
    if (!ReadMore(std::chrono::seconds(10))) return "";
  }
  return output_.substr(0, output_.find('\n'));
}

std::optional<int> ChildProcess::WaitForEnd(std::chrono::milliseconds timeout) {
  // Its stdout is closed when it ends: no need to ask again and again.
  using std::chrono::steady_clock;
  const auto deadline = steady_clock::now() + timeout;
  while (!ended_) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - steady_clock::now());
    if (left.count() <= 0) return std::nullopt;
    if (ReadMore(left)) continue;
    pollfd closed{.fd = output_fd_, .events = POLLIN, .revents = 0};
    if (poll(&closed, 1, 0) == 0) return std::nullopt;
    int status = 0;
    if (waitpid(pid_, &status, 0) == pid_) ended_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  return ended_;
}

const std::string& ChildProcess::Output() {
  while (ReadMore(std::chrono::milliseconds(0))) {
  }
  return output_;
}

}  // namespace baton
