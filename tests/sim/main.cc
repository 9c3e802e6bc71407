// baton-sim: as many schedules as are asked for, on as many threads as there are cores.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/sim/world.h"

namespace {

struct Arguments {
  std::uint64_t seed = 1;
  std::uint64_t schedules = 20000;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  bool all_pairs = false;
};

Arguments Parse(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--all-pairs") {
      a.all_pairs = true;
      continue;
    }
    const bool known = name == "--seed" || name == "--schedules" || name == "--threads";
    if (!known || i + 1 >= argc) {
      std::fprintf(stderr,
                   "baton-sim [--seed N] [--schedules N] [--threads N] [--all-pairs]\n"
                   "  --all-pairs  fails where a pair of phase and happening was never met\n");
      std::exit(2);
    }
    const std::uint64_t value = std::strtoull(argv[++i], nullptr, 10);
    if (name == "--seed") a.seed = value;
    if (name == "--schedules") a.schedules = value;
    if (name == "--threads") a.threads = static_cast<unsigned>(value);
  }
  return a;
}

}  // namespace

int main(int argc, char** argv) {
  using baton::sim::Options;
  using baton::sim::World;
  const Arguments arguments = Parse(argc, argv);
  const auto began = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> next{arguments.seed};
  std::atomic<int> failures{0};
  std::mutex mutex;
  baton::sim::Coverage met;
  const auto work = [&] {
    for (;;) {
      const std::uint64_t seed = next++;
      if (seed >= arguments.seed + arguments.schedules || failures > 4) return;
      World world(Options::Draw(seed));
      const std::string broken = world.Run();
      const std::lock_guard lock(mutex);
      met.Add(world.met());
      if (broken.empty()) continue;
      ++failures;
      std::printf("FAILED %s", World(Options::Draw(seed), /*notes=*/true).Run().c_str());
      std::printf("replay: ./dev sim --seed %llu --schedules 1\n\n", static_cast<unsigned long long>(seed));
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < arguments.threads; ++i) threads.emplace_back(work);
  for (auto& thread : threads) thread.join();
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const std::string unmet = arguments.all_pairs ? met.Unmet() : "";
  std::printf("%s%s", met.Text().c_str(), unmet.c_str());
  std::printf("%llu schedules from seed %llu in %.1f s: %d failed",
              static_cast<unsigned long long>(arguments.schedules), static_cast<unsigned long long>(arguments.seed),
              took, failures.load());
  if (arguments.all_pairs && unmet.empty()) std::printf(", all %zu pairs of phase and happening met", met.pairs());
  std::printf("\n");
  return failures == 0 && unmet.empty() ? 0 : 1;
}
