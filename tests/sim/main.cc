// baton-sim: as many schedules as are asked for, on as many threads as there are cores.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
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
};

Arguments Parse(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const bool known = name == "--seed" || name == "--schedules" || name == "--threads";
    if (!known || i + 1 >= argc) {
      std::fprintf(stderr, "baton-sim [--seed N] [--schedules N] [--threads N]\n");
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
  std::map<std::string, std::uint64_t> met;
  const auto work = [&] {
    for (;;) {
      const std::uint64_t seed = next++;
      if (seed >= arguments.seed + arguments.schedules || failures > 4) return;
      World world(Options::Draw(seed));
      const std::string broken = world.Run();
      const std::lock_guard lock(mutex);
      for (const auto& what : world.met()) ++met[what];
      if (broken.empty()) continue;
      ++failures;
      std::printf("FAILED %s", broken.c_str());
      std::printf("replay: ./dev sim --seed %llu --schedules 1\n\n", static_cast<unsigned long long>(seed));
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < arguments.threads; ++i) threads.emplace_back(work);
  for (auto& thread : threads) thread.join();
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::printf("met in so many schedules:");
  for (const auto& [what, count] : met) std::printf(" %s %llu;", what.c_str(), static_cast<unsigned long long>(count));
  std::printf("\n%llu schedules from seed %llu in %.1f s: %d failed\n",
              static_cast<unsigned long long>(arguments.schedules), static_cast<unsigned long long>(arguments.seed),
              took, failures.load());
  return failures == 0 ? 0 : 1;
}
