#include "tools/embedded_postgres/command.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace baton {
namespace {

[[noreturn]] void Become(const std::vector<std::string>& arguments, const std::optional<UnixUser>& user, int output) {
  if (user) {
    if (setgroups(0, nullptr) != 0 || setgid(user->gid) != 0 || setuid(user->uid) != 0) _exit(126);
    setenv("HOME", "/", 1);
  }
  if (chdir("/") != 0) _exit(126);
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  std::vector<char*> argv;
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

}  // namespace

Result<CommandResult> RunCommand(const std::vector<std::string>& arguments, const std::optional<UnixUser>& user) {
  // A file, not a pipe: a daemon that stays behind (pg_ctl start) would keep a pipe open for ever.
  char path[] = "/tmp/baton-command-XXXXXX";
  const int output = mkostemp(path, O_CLOEXEC);
  if (output < 0) return Error{ErrorKind::kInternal, std::string("no temporary file: ") + std::strerror(errno), {}};
  unlink(path);
  const pid_t pid = fork();
  if (pid < 0) return Error{ErrorKind::kInternal, std::string("fork: ") + std::strerror(errno), {}};
  if (pid == 0) Become(arguments, user, output);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  CommandResult result;
  result.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  lseek(output, 0, SEEK_SET);
  char buffer[4096];
  for (ssize_t n; (n = read(output, buffer, sizeof buffer)) > 0;)
    result.output.append(buffer, static_cast<std::size_t>(n));
  close(output);
  return result;
}

}  // namespace baton
