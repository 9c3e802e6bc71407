#include "tests/bench/child.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "orchestrator/base/check.h"
#include "tests/bench/memory_meter.h"
#include "tools/system/spawn.h"

namespace baton::bench {
namespace {

constexpr int kLinesBetweenLooks = 1000;  // lines between two looks at its memory

}  // namespace

ChildUsage RunChild(const std::vector<std::string>& command, const std::function<bool(const std::string& line)>& is_right) {
  PipeEnds pipe = MakePipe();
  CHECK(pipe.write.valid());
  const auto began = std::chrono::steady_clock::now();
  Result<Process> process = Process::Spawn({.arguments = command, .output = pipe.write.get()});
  CHECK(process.ok());
  pipe.write.Reset();
  ChildUsage usage;
  FILE* out = fdopen(pipe.read.Release(), "r");
  CHECK(out);
  char* line = nullptr;
  std::size_t size = 0;
  while (getline(&line, &size, out) > 0) {
    ++usage.lines;
    usage.right += is_right(line);
    // Not what wait4(2) says: that knows this process, too, whose memory the child had before it began.
    if (usage.lines % kLinesBetweenLooks == 1) usage.rss_mb = std::max(usage.rss_mb, PeakMemoryMb(process->pid()));
  }
  std::free(line);
  std::fclose(out);
  process->WaitForEnd();
  CHECK(process->exit_status() == 0);
  usage.wall_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
  usage.cpu_ms = std::chrono::duration<double, std::milli>(process->cpu()).count();
  return usage;
}

}  // namespace baton::bench
