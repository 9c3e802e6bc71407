// What is remembered of large apps, for how long, and whose it is.
#include "sql/read/known_apps.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

const ProcessGuid kOne("one");
const ProcessGuid kTwo("two");
const KnownApps::Clock::time_point kKnownAt{};

KnownRows App(const ProcessGuid& guid, int rows, std::int64_t epoch = 1) {
  KnownRows known;
  known[guid].epoch = epoch;
  for (int i = 0; i < rows; ++i) known[guid].actuals[ActualId(guid.str() + "-" + std::to_string(i))];
  return known;
}

TEST(KnownApps, OneIsTakenOnce) {
  KnownApps apps({.rows_max = 10});
  apps.Put(App(kOne, 3), kKnownAt);
  EXPECT_EQ(apps.rows(), 3u);
  EXPECT_EQ(apps.Take({kOne, kTwo}, 1, kKnownAt).at(kOne).actuals.size(), 3u);
  EXPECT_TRUE(apps.Take({kOne}, 1, kKnownAt).empty());
  EXPECT_EQ(apps.rows(), 0u);
}

TEST(KnownApps, WhatIsPutBackIsInPlaceOfWhatWasThere) {
  KnownApps apps({.rows_max = 10});
  apps.Put(App(kOne, 3), kKnownAt);
  apps.Put(App(kOne, 4), kKnownAt);
  EXPECT_EQ(apps.rows(), 4u);
}

TEST(KnownApps, AnElectionMayHaveShiftedTimes) {
  KnownApps apps({.rows_max = 10});
  apps.Put(App(kOne, 3, /*epoch=*/1), kKnownAt);
  EXPECT_TRUE(apps.Take({kOne}, /*epoch=*/2, kKnownAt).empty());
  EXPECT_EQ(apps.rows(), 0u);
}

TEST(KnownApps, OfTooManyRowsThoseThatWerePutBackFirstAreForgotten) {
  KnownApps apps({.rows_max = 10});
  apps.Put(App(kOne, 6), kKnownAt);
  apps.Put(App(kTwo, 6), kKnownAt);
  EXPECT_TRUE(apps.Take({kOne}, 1, kKnownAt).empty());
  EXPECT_EQ(apps.Take({kTwo}, 1, kKnownAt).size(), 1u);
}

TEST(KnownApps, OneThatIsTooLargeForgetsNoOther) {
  KnownApps apps({.rows_max = 10});
  apps.Put(App(kOne, 6), kKnownAt);
  apps.Put(App(kTwo, 11), kKnownAt);
  EXPECT_EQ(apps.rows(), 6u);
}

TEST(KnownApps, WhoLeadsNoMoreKeepsNothing) {
  KnownApps apps({.rows_max = 10});
  apps.Put(App(kOne, 6), kKnownAt);
  apps.Clear();
  EXPECT_EQ(apps.rows(), 0u);
  EXPECT_TRUE(apps.Take({kOne}, 1, kKnownAt).empty());
}

TEST(KnownApps, OneThatNobodyPutsBackIsForgotten) {
  KnownApps apps({.rows_max = 10});
  apps.Put(App(kOne, 3), kKnownAt);
  EXPECT_TRUE(apps.Take({kTwo}, 1, kKnownAt + KnownApps::kKept).empty());
  EXPECT_EQ(apps.rows(), 3u);
  EXPECT_TRUE(apps.Take({kOne}, 1, kKnownAt + KnownApps::kKept + std::chrono::milliseconds(1)).empty());
  EXPECT_EQ(apps.rows(), 0u);
}

}  // namespace
}  // namespace baton
