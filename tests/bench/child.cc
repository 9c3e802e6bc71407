#include "tests/bench/child.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "orchestrator/base/check.h"
#include "tests/bench/memory_meter.h"

namespace baton {
namespace {

constexpr int kLook = 1000;  // lines between two looks at its memory

}  // namespace

ChildUsage RunChild(const std::vector<std::string>& command, const std::function<bool(const std::string& line)>& is_right) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  CHECK(pipe(ends) == 0);
  const auto began = std::chrono::steady_clock::now();
  const pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    dup2(ends[1], 1);
    close(ends[0]);
    close(ends[1]);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  ChildUsage usage;
  FILE* out = fdopen(ends[0], "r");
  CHECK(out);
  char* line = nullptr;
  std::size_t size = 0;
  while (getline(&line, &size, out) > 0) {
    ++usage.lines;
    usage.right += is_right(line);
    // Not what wait4(2) says: that knows the copy of this process, too, which the child was before it began.
    if (usage.lines % kLook == 1) usage.rss_mb = std::max(usage.rss_mb, PeakMemoryMb(pid));
  }
  std::free(line);
  std::fclose(out);
  int status = 0;
  rusage counted{};
  CHECK(wait4(pid, &status, 0, &counted) == pid);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  usage.wall_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
  const auto ms = [](const timeval& time) { return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3; };
  usage.cpu_ms = ms(counted.ru_utime) + ms(counted.ru_stime);
  return usage;
}

}  // namespace baton
