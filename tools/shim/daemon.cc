#include "tools/shim/daemon.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "orchestrator/base/unique_fd.h"

namespace baton::shim {
namespace {

void TakeStandardStreams(const std::string& error_log) {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  const int log = open(error_log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  dup2(nothing, 0);
  dup2(log >= 0 ? log : nothing, 1);
  dup2(log >= 0 ? log : nothing, 2);
}

[[noreturn]] void Serve(UniqueFd told, const std::string& error_log, const std::function<void(const Tell&)>& serve) {
  setsid();
  const pid_t second = fork();  // no session leader: it can never get a terminal
  if (second != 0) _exit(second < 0 ? 1 : 0);
  TakeStandardStreams(error_log);
  serve([&told](int exit_code) {
    const char byte = static_cast<char>(exit_code);
    // Who asked may have been killed; the instance runs all the same.
    [[maybe_unused]] const ssize_t count = write(told.get(), &byte, 1);
    told.Reset();
  });
  _exit(0);
}

}  // namespace

int Detach(const std::string& error_log, const std::function<void(const Tell&)>& serve) {
  if (chdir("/") != 0) return 1;
  // Closes what came from the cell, and any pipe whose reader waits for its end.
  close_range(3, ~0U, 0);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return 1;
  const UniqueFd told(ends[0]);
  UniqueFd tells(ends[1]);
  const pid_t first = fork();
  if (first < 0) return 1;
  if (first == 0) Serve(std::move(tells), error_log, serve);
  tells.Reset();
  while (waitpid(first, nullptr, 0) < 0 && errno == EINTR) {
  }
  char exit_code = 1;
  while (read(told.get(), &exit_code, 1) < 0 && errno == EINTR) {
  }
  return exit_code;
}

}  // namespace baton::shim
