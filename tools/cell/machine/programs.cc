#include "tools/cell/machine/programs.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/epoll.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "tools/cell/machine/pidfd.h"
#include "tools/shim/steps/child_spec.h"

namespace baton {
namespace {

// With no signal blocked or ignored: the cell blocks some for itself.
int Spawn(const std::vector<std::string>& arguments, pid_t* pid) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t files;
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int error = posix_spawn(pid, pointers[0], &files, &attributes, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

Programs::~Programs() {
  for (const auto& [pid, program] : running_) loop_.Unwatch(program.pidfd.get());
}

Result<pid_t> Programs::Start(const std::vector<std::string>& arguments, OnExit on_exit) {
  pid_t pid = 0;
  if (const int error = Spawn(arguments, &pid); error != 0) {
    return Error{ErrorKind::kInternal, "cannot start " + arguments[0] + ": " + std::strerror(error), std::nullopt};
  }
  UniqueFd pidfd = OpenPidfd(pid);  // our child, not reaped: the pid is still its own
  CHECK(pidfd.valid());
  loop_.Watch(pidfd.get(), EPOLLIN, [this, pid](std::uint32_t) { Ended(pid); });
  running_[pid] = {std::move(pidfd), std::move(on_exit)};
  return pid;
}

void Programs::Kill(pid_t pid) {
  if (running_.contains(pid)) kill(pid, SIGKILL);
}

void Programs::Ended(pid_t pid) {
  auto node = running_.extract(pid);
  loop_.Unwatch(node.mapped().pidfd.get());
  int wait_status = 0;
  CHECK(waitpid(pid, &wait_status, 0) == pid);
  node.mapped().on_exit(ExitStatus(wait_status));
}

}  // namespace baton
