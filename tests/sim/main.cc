// baton-sim: as many schedules as are asked for, on as many threads as there are cores.
#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/sim/shrink.h"
#include "tests/sim/world.h"

namespace {

using baton::sim::Options;
using baton::sim::Trouble;
using baton::sim::World;

struct Arguments {
  std::uint64_t seed = 1;
  std::uint64_t schedules = 20000;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  bool all_pairs = false;
  std::vector<std::string> without;
  int operations = 0;
  int apps = 0;
  std::uint64_t course = 0;
  int partitions = 1;
  std::string plant;
};

void Declare(CLI::App& app, Arguments& a) {
  app.add_option("--seed", a.seed, "The first schedule's")->capture_default_str();
  app.add_option("--schedules", a.schedules, "How many")->capture_default_str();
  app.add_option("--threads", a.threads, "Default: one for each core");
  app.add_flag("--all-pairs", a.all_pairs, "Fails where a pair of phase and happening was never met");
  std::vector<std::string> names;
  for (const Trouble& trouble : baton::sim::kTroubles) names.emplace_back(trouble.name);
  app.add_option("--without", a.without, "A kind of trouble to leave out")->check(CLI::IsMember(names));
  app.add_option("--operations", a.operations, "Wishes of users in a schedule; default: drawn");
  app.add_option("--course", a.course, "Another schedule with what the seed draws; a failure's replay names it");
  app.add_option("--partitions", a.partitions, "Leaderships that share the apps, by hash range, over one database")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  std::vector<std::string> bugs;
  for (const baton::sim::PlantedBug& one : baton::sim::kBugs) bugs.emplace_back(one.name);
  app.add_option("--plant", a.plant, "A bug of several leaderships, to see it caught")->check(CLI::IsMember(bugs));
  app.add_option("--apps", a.apps, "Default: drawn");
}

Options DrawFor(const Arguments& a, std::uint64_t seed) {
  Options options = Options::Draw(seed).Split(a.partitions);
  for (const Trouble& trouble : baton::sim::kTroubles) {
    for (const std::string& name : a.without) {
      if (name == trouble.name) options.*trouble.on = false;
    }
  }
  for (const baton::sim::PlantedBug& one : baton::sim::kBugs) {
    if (a.plant == one.name) options.bug = one.bug;
  }
  if (a.operations > 0) options.operations = a.operations;
  if (a.apps > 0) options.apps = a.apps;
  options.course = a.course;
  return options;
}

// How it can be seen again, and the smallest schedule that breaks the same promise.
void Tell(const Options& options) {
  const Options small = baton::sim::Shrink(options);
  std::printf("FAILED %s", World(small, /*notes=*/true).Run().c_str());
  std::printf("replay: ./dev sim %s\n", baton::sim::ReplayArguments(small).c_str());
  std::printf("as it was found: ./dev sim %s\n\n", baton::sim::ReplayArguments(options).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Seeded schedules of the whole core against everything that can happen to it", "baton-sim");
  Arguments arguments;
  Declare(app, arguments);
  CLI11_PARSE(app, argc, argv);
  const auto began = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> next{arguments.seed};
  std::atomic<int> failures{0};
  std::mutex mutex;
  baton::sim::Coverage met;
  World::Orders orders;
  const auto work = [&] {
    for (;;) {
      const std::uint64_t seed = next++;
      if (seed >= arguments.seed + arguments.schedules || failures > 4) return;
      const Options options = DrawFor(arguments, seed);
      World world(options);
      const std::string broken = world.Run();
      const std::lock_guard lock(mutex);
      met.Add(world.met());
      orders.all += world.orders().all;
      orders.without_room += world.orders().without_room;
      if (broken.empty()) continue;
      ++failures;
      Tell(options);
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
  if (arguments.partitions > 1) std::printf(", %d partitions", arguments.partitions);
  std::printf("; of %llu orders %llu found no room any more\n", static_cast<unsigned long long>(orders.all),
              static_cast<unsigned long long>(orders.without_room));
  return failures == 0 && unmet.empty() ? 0 : 1;
}
