#include "tests/bench/reporters.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include "orchestrator/base/check.h"
#include "tools/stack/stack.h"
#include "tools/stack/wait_for.h"

namespace baton::bench {
namespace {

constexpr std::chrono::seconds kReportersPatience{120};

}  // namespace

Reporters::Reporters(Rig& rig, int cells, int round) : log_(rig.Path("reporters.log")) {
  std::filesystem::create_directories(rig.Path("reporters"));
  program_ = std::make_unique<stack::Program>(
      stack::Program::Start{"reporters",
                            {stack::OwnDirectory() + "/baton-bench-reporters", rig.Path("reporters"),
                             std::to_string(cells), std::to_string(round), rig.address()},
                            log_});
  CHECK(stack::WaitFor(kReportersPatience, {}, [&] {
    const auto all = rig.api().Cells();
    return std::ranges::count_if(all, [](const v2::Cell& cell) { return cell.connected(); }) == cells;
  }));
}

std::string Reporters::AwaitLine(const std::string& begin) {
  std::string line;
  const bool came = stack::WaitFor(kReportersPatience, {}, [&] {
    line = stack::LastLines(log_, 1);
    return line.find(begin) != std::string::npos;
  });
  if (!came)
    std::fprintf(stderr, "the reporters never said '%s':\n%s\n", begin.c_str(), stack::LastLines(log_, 10).c_str());
  CHECK(came);
  return line.substr(line.find(begin));
}

void Reporters::AwaitHeld() { AwaitLine("held"); }

void Reporters::Go() { program_->Signal(SIGUSR1); }

Reporters::Told Reporters::AwaitTold() {
  const std::string said = AwaitLine("told in");
  Told told;
  long long answers = 0, refused = 0, again = 0, unknown = 0;
  CHECK(std::sscanf(said.c_str(), "told in %lf ms, p50 %lf p99 %lf answers %lld refused %lld again %lld unknown %lld",
                    &told.ms, &told.p50, &told.p99, &answers, &refused, &again, &unknown) == 7);
  told.answers = answers;
  told.refused = refused;
  told.again = again;
  told.unknown = unknown;
  return told;
}

}  // namespace baton::bench
