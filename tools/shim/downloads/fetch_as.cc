#include "tools/shim/downloads/fetch_as.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "orchestrator/base/unique_fd.h"
#include "tools/shim/account.h"
#include "tools/shim/steps/child_spec.h"

namespace baton::shim {
namespace {

Error FetchError(const std::string& text) { return Error{ErrorKind::kUnavailable, text, std::nullopt}; }

// Locks and files of the instance are none of the user's.
void CloseAllBut(int one, int other) {
  const auto [low, high] = std::minmax({static_cast<unsigned>(one), static_cast<unsigned>(other)});
  if (low > 3) close_range(3, low - 1, 0);
  if (high > low + 1) close_range(low + 1, high - 1, 0);
  close_range(high + 1, ~0U, 0);
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

Status FetchAs(const std::string& user, const std::string& url, int fd, const FetchLimits& limits) {
  const Result<Account> account = FindAccount(user);
  if (!account) return FetchError(account.error().message);
  if (!account->switches || IsFileUrl(url)) return FetchTo(url, fd, limits);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return FetchError(std::string("no pipe: ") + std::strerror(errno));
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  std::fflush(nullptr);  // or the copy would write it again
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return FetchError(std::string("cannot fork: ") + std::strerror(errno));
  if (pid == 0) {
    CloseAllBut(fd, write_end.get());
    Status done = BecomeAccount(*account);
    DieWithParent(parent);  // after the change of user, which clears it
    if (done) done = FetchTo(url, fd, limits);
    if (done) _exit(0);
    const std::string& why = done.error().message;
    _exit(write(write_end.get(), why.data(), why.size()) < 0 ? 2 : 1);
  }
  write_end.Reset();
  const std::string why = ReadAll(read_end.get());
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (status == 0) return Done{};
  return FetchError(why.empty() ? "what fetched it " + DescribeExit(ExitStatus(status)) : why);
}

}  // namespace baton::shim
