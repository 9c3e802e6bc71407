// baton-bench-reporters: simulated cells in a process of their own, which hold what they are
// told to run until SIGUSR1, and then report all of it: claimed, and as soon as that is answered, started. Says "held"
// when it holds ROUND instances, and when so many are answered to run, how long it took from the signal on and what all
// answers were so far ("told in MS ms, ..."); round by round, until it is killed.
#include <sys/signalfd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "orchestrator/base/check.h"
#include "orchestrator/base/unique_fd.h"
#include "tests/bench/cells/report_tally.h"
#include "tests/bench/cells/simulated_cell.h"
#include "tools/command_line/mistake.h"
#include "tools/logging/json_log.h"

namespace {

using namespace baton;

constexpr std::chrono::milliseconds kLook{1};

// Before any thread is there, so that none takes the signal the ordinary way.
UniqueFd SignalsToGo() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  return UniqueFd(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

class Reporters {
 public:
  Reporters(shim::EventLoop& loop, Log& log, const std::string& dir, int cells, std::int64_t round,
            const std::string& batond)
      : loop_(loop), round_(round) {
    for (int i = 1; i <= cells; ++i) {
      bench::SimulatedCell::Options options{
          .id = "reporter-" + std::to_string(i), .batond = {batond}, .tally = &tally_, .holds = true};
      options.dir = dir + "/" + options.id;
      std::filesystem::create_directories(options.dir);
      cells_.push_back(std::make_unique<bench::SimulatedCell>(loop, log, options));
      cells_.back()->Start();
    }
    AwaitHeld();
  }

  void Go() {
    began_ = shim::EventLoop::Clock::now();
    for (const auto& cell : cells_) cell->Release();
    rounds_ += 1;
    AwaitTold();
  }

 private:
  void AwaitHeld() {
    const auto held = std::accumulate(cells_.begin(), cells_.end(), std::size_t{0},
                                      [](std::size_t sum, const auto& cell) { return sum + cell->held(); });
    if (static_cast<std::int64_t>(held) < round_) return void(loop_.After(kLook, [this] { AwaitHeld(); }));
    Say("held");
  }
  void AwaitTold() {
    if (tally_.running() < rounds_ * round_) return void(loop_.After(kLook, [this] { AwaitTold(); }));
    const double ms = std::chrono::duration<double, std::milli>(shim::EventLoop::Clock::now() - began_).count();
    Say("told in " + std::to_string(ms) + " ms, " + tally_.Text());
    AwaitHeld();
  }
  static void Say(const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  }

  shim::EventLoop& loop_;
  const std::int64_t round_;
  bench::ReportTally tally_;
  std::vector<std::unique_ptr<bench::SimulatedCell>> cells_;
  shim::EventLoop::Time began_;
  std::int64_t rounds_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Simulated cells that report what they hold on SIGUSR1, until it is killed", "baton-bench-reporters");
  std::string dir;
  int cells = 0;
  std::int64_t round = 0;
  std::string batond;
  app.add_option("DIR", dir, "Where each cell has a directory")->required();
  app.add_option("CELLS", cells, "How many")->required()->check(CLI::Range(1, 1000000));
  app.add_option("ROUND", round, "Instances that are held before each signal")
      ->required()
      ->check(CLI::Range(1, 1000000));
  app.add_option("BATOND", batond, "Its address")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return EndOf(app, error, std::cout, std::cerr);
  }
  const UniqueFd signals = SignalsToGo();
  CHECK(signals.valid());
  JsonLog log("baton-bench-reporters", LogLevel::kWarn);
  shim::EventLoop loop;
  Reporters reporters(loop, log, dir, cells, round, batond);
  loop.Watch(signals.get(), [&] {
    signalfd_siginfo told;
    while (read(signals.get(), &told, sizeof told) == sizeof told) reporters.Go();
  });
  loop.Run();
}
