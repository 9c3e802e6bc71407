#include "tests/bench/profile.h"

#include <csignal>
#include <filesystem>

#include "orchestrator/base/check.h"
#include "tools/stack/wait_for.h"

namespace baton::bench {
namespace {

std::string& Folder() {
  static std::string folder;
  return folder;
}

}  // namespace

void Profile::Into(std::string folder) {
  if (!folder.empty()) std::filesystem::create_directories(folder);
  Folder() = std::move(folder);
}

Profile::Profile(pid_t pid, const std::string& row) {
  if (Folder().empty() || row.empty()) return;
  const std::string at = Folder() + "/" + row;
  // An odd rate, so that it does not keep step with timers. Stacks by their unwind tables: libraries keep no frame pointers.
  perf_ = std::make_unique<stack::Program>(
      stack::Program::Start{"perf",
                            {"/usr/bin/perf", "record", "-q", "-F", "499", "-g", "--call-graph", "dwarf,8192", "-p",
                             std::to_string(pid), "-o", at + ".perf"},
                            at + ".log"});
}

Profile::~Profile() {
  if (!perf_ || !perf_->Running()) return;
  perf_->Signal(SIGINT);
  perf_->WaitForEnd(std::chrono::seconds(30));
}

}  // namespace baton::bench
