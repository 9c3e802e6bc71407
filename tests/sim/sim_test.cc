// Seeded schedules against the planner, the law and the use cases, as they are in the product. A failure prints the
// seed: `./dev sim --seed N` replays it.
#include <gtest/gtest.h>

#include <map>

#include "tests/sim/world.h"

namespace baton::sim {
namespace {

TEST(Simulation, EveryScheduleKeepsEveryPromise) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const bool held = World(Options::Draw(seed)).Run().empty();
    ASSERT_TRUE(held) << World(Options::Draw(seed), /*notes=*/true).Run() << "replay: ./dev sim --seed " << seed
                      << " --schedules 1";
  }
}

TEST(Simulation, TheSameSeedIsTheSameRun) {
  World a(Options::Draw(7));
  World b(Options::Draw(7), /*notes=*/true);
  ASSERT_EQ(a.Run(), b.Run());
  EXPECT_EQ(a.met().Text(), b.met().Text());
  EXPECT_EQ(a.now(), b.now());
}

}  // namespace
}  // namespace baton::sim
