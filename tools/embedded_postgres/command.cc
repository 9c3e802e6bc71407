#include "tools/embedded_postgres/command.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace baton {
namespace {

std::vector<std::string> WithHome(const std::string& home) {
  std::vector<std::string> environment{"HOME=" + home};
  for (char** variable = environ; *variable; ++variable) {
    if (!std::string_view(*variable).starts_with("HOME=")) environment.emplace_back(*variable);
  }
  return environment;
}

}  // namespace

Result<CommandResult> RunCommand(const std::vector<std::string>& arguments, const std::optional<UnixUser>& user) {
  // A file, not a pipe: a daemon that stays behind (pg_ctl start) would keep a pipe open for ever.
  char path[] = "/tmp/baton-command-XXXXXX";
  const UniqueFd output(mkostemp(path, O_CLOEXEC));
  if (!output.valid())
    return Error{ErrorKind::kInternal, std::string("no temporary file: ") + std::strerror(errno), {}};
  unlink(path);
  ProgramStart start{
      .arguments = arguments, .output = output.get(), .errors = output.get(), .directory = "/", .user = user};
  if (user) start.environment = WithHome("/");
  Result<Process> process = Process::Spawn(start);
  if (!process) return process.error();
  process->WaitForEnd();
  if (!process->exit_status()) {  // SIGCHLD is ignored, by whom this program was started
    return Error{ErrorKind::kInternal, "how " + start.arguments[0] + " ended is not known", {}};
  }
  const int status = *process->exit_status();
  CommandResult result{.exit_status = status >= 0 ? status : 128 - status, .output = {}};
  lseek(output.get(), 0, SEEK_SET);
  char buffer[4096];
  for (ssize_t n; (n = read(output.get(), buffer, sizeof buffer)) > 0;)
    result.output.append(buffer, static_cast<std::size_t>(n));
  return result;
}

}  // namespace baton
