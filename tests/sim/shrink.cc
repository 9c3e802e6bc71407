#include "tests/sim/shrink.h"

#include <functional>
#include <string>

namespace baton::sim {
namespace {

constexpr std::uint64_t kCourses = 40;

// "I8 at the end: app-1: ..." and the like: what comes before the first number of an app or an instance.
std::string Promise(const std::string& broken) { return broken.substr(0, broken.find(':')); }

}  // namespace

Options Shrink(Options options) {
  const std::string promise = Promise(World(options).Run());
  // Less trouble is another course of things; of a few of them one may break the same.
  const auto still_breaks = [&](const std::function<void(Options&)>& change) {
    Options fewer = options;
    change(fewer);
    for (fewer.course = 0; fewer.course < kCourses; ++fewer.course) {
      const std::string broken = World(fewer).Run();
      if (broken.empty() || Promise(broken) != promise) continue;
      options = fewer;
      return true;
    }
    return false;
  };
  for (const Trouble& trouble : kTroubles) {
    if (options.*trouble.on) still_breaks([&](Options& o) { o.*trouble.on = false; });
  }
  while (options.apps > 1 && still_breaks([](Options& o) { --o.apps; })) {
  }
  for (int step = options.operations / 2; step > 0; step /= 2) {
    while (options.operations > step && still_breaks([&](Options& o) { o.operations -= step; })) {
    }
  }
  return options;
}

std::string ReplayArguments(const Options& options) {
  const Options drawn = Options::Draw(options.seed).Split(options.partitions);
  std::string text = "--seed " + std::to_string(options.seed) + " --schedules 1";
  for (const Trouble& trouble : kTroubles) {
    if (drawn.*trouble.on && !(options.*trouble.on)) text += std::string(" --without ") + trouble.name;
  }
  if (options.partitions != 1) text += " --partitions " + std::to_string(options.partitions);
  if (options.operations != drawn.operations) text += " --operations " + std::to_string(options.operations);
  if (options.apps != drawn.apps) text += " --apps " + std::to_string(options.apps);
  if (options.course != 0) text += " --course " + std::to_string(options.course);
  return text;
}

}  // namespace baton::sim
