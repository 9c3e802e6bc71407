// Several leaderships that share the apps by hash range over one database: every promise holds, whichever of their
// leaders dies. And what each of them has to keep to is needed: without it, a promise breaks.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sim/range.h"
#include "tests/sim/world.h"

namespace baton::sim {
namespace {

constexpr std::uint64_t kSchedules = 250;

void ExpectEveryPromise(int partitions) {
  for (std::uint64_t seed = 1; seed <= kSchedules; ++seed) {
    const Options options = Options::Draw(seed).Split(partitions);
    const bool held = World(options).Run().empty();
    ASSERT_TRUE(held) << World(options, /*notes=*/true).Run() << "replay: ./dev sim --seed " << seed
                      << " --schedules 1 --partitions " << partitions;
  }
}

// What the first of some schedules that break says.
std::string Broken(Bug bug) {
  for (std::uint64_t seed = 1; seed <= kSchedules; ++seed) {
    Options options = Options::Draw(seed).Split(2);
    options.bug = bug;
    if (std::string broken = World(options).Run(); !broken.empty()) return broken.substr(0, broken.find('\n'));
  }
  return "nothing";
}

TEST(Partitions, TwoKeepEveryPromise) { ExpectEveryPromise(2); }
TEST(Partitions, FourKeepEveryPromise) { ExpectEveryPromise(4); }

TEST(Partitions, OneIsTheProductsOwnCase) {
  World whole(Options::Draw(7));
  World split(Options::Draw(7).Split(1));
  EXPECT_EQ(whole.Run(), split.Run());
  EXPECT_EQ(whole.met().Text(), split.met().Text());
  EXPECT_EQ(whole.now(), split.now());
}

TEST(Partitions, EveryRangeHasApps) {
  for (int ranges = 1; ranges <= 4; ++ranges) {
    std::vector<int> apps(static_cast<std::size_t>(ranges));
    for (int i = 0; i < 400; ++i) {
      ++apps[static_cast<std::size_t>(RangeOf(ProcessGuid("app-" + std::to_string(i)), ranges))];
    }
    EXPECT_GT(*std::ranges::min_element(apps), 400 / ranges / 2);
  }
}

TEST(Partitions, ALeaderThatDrivesAppsOfAnotherRangeIsSeen) {
  EXPECT_NE(Broken(Bug::kDrivesAllApps).find("which leads other apps"), std::string::npos);
}

TEST(Partitions, AFenceByAnotherRangesLeaseIsNone) { EXPECT_NE(Broken(Bug::kFencesByAnothersLease), "nothing"); }

TEST(Partitions, ACellThatComparesEpochsOfDifferentLeasesStrandsApps) {
  EXPECT_NE(Broken(Bug::kOneEpochForAllLeases).find("I8 at the end"), std::string::npos);
}

TEST(Partitions, ACellThatTrustsItsLeadersAccountsIsOvercommitted) {
  EXPECT_NE(Broken(Bug::kCellTrustsOrders).find("capacity"), std::string::npos);
}

TEST(Partitions, AFollowerThatPassesGapsMissesAnotherLeadersEvent) {
  EXPECT_NE(Broken(Bug::kEventsPassGaps).find("events: "), std::string::npos);
}

TEST(Partitions, AnElectionThatMovesTheTimesOfAllAppsTakesHealthAway) {
  EXPECT_NE(Broken(Bug::kElectionShiftsAllApps).find("took the health"), std::string::npos);
}

}  // namespace
}  // namespace baton::sim
