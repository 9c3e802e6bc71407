#include "tools/router/process_handle.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <fstream>

extern "C" {  // glibc 2.36's header does not say so itself
#include <sys/pidfd.h>
}

namespace baton {
namespace {

// posix_spawn's two option objects, freed with their owner.
struct SpawnOptions {
  SpawnOptions() {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnOptions() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnOptions(const SpawnOptions&) = delete;
  SpawnOptions& operator=(const SpawnOptions&) = delete;

  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
};

void Prepare(SpawnOptions& options, const std::string& log_path) {
  posix_spawn_file_actions_addopen(&options.files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&options.files, 1, log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0640);
  posix_spawn_file_actions_adddup2(&options.files, 1, 2);
  posix_spawn_file_actions_addclosefrom_np(&options.files, 3);
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&options.attributes, &none);
  posix_spawnattr_setsigdefault(&options.attributes, &all);
  posix_spawnattr_setflags(&options.attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

}  // namespace

std::optional<ProcessHandle> ProcessHandle::Open(int pid) {
  UniqueFd fd(pidfd_open(pid, 0));
  if (!fd.valid()) return std::nullopt;
  ProcessHandle handle(pid, std::move(fd));
  if (!handle.Running()) return std::nullopt;  // a zombie
  return handle;
}

Result<ProcessHandle> ProcessHandle::Spawn(const std::vector<std::string>& argv, const std::string& log_path) {
  std::vector<char*> pointers;
  for (const std::string& word : argv) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  SpawnOptions options;
  Prepare(options, log_path);
  pid_t pid = 0;
  const int failed = posix_spawnp(&pid, pointers[0], &options.files, &options.attributes, pointers.data(), environ);
  if (failed != 0) return Error{ErrorKind::kInternal, "cannot start " + argv[0] + ": " + std::strerror(failed)};
  UniqueFd fd(pidfd_open(pid, 0));
  if (!fd.valid()) return Error{ErrorKind::kInternal, std::string("pidfd_open: ") + std::strerror(errno)};
  return ProcessHandle(pid, std::move(fd));
}

bool ProcessHandle::Running() const {
  pollfd ended{.fd = fd_.get(), .events = POLLIN, .revents = 0};
  return poll(&ended, 1, 0) == 0;
}

void ProcessHandle::Signal(int signal) const { pidfd_send_signal(fd_.get(), signal, nullptr, 0); }

std::string ProcessHandle::Reap() const {
  siginfo_t how{};
  if (waitid(P_PIDFD, static_cast<id_t>(fd_.get()), &how, WEXITED | WNOHANG) != 0 || how.si_pid == 0) return "ended";
  return (how.si_code == CLD_EXITED ? "exit status " : "signal ") + std::to_string(how.si_status);
}

std::string ProcessHandle::ProgramName() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

}  // namespace baton
