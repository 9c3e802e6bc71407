#include "tools/load/latencies.h"

#include <gtest/gtest.h>

namespace baton::load {
namespace {

TEST(LatenciesTest, WithoutRequestsEverythingIsZero) { EXPECT_EQ(Latencies().PercentileMs(0.99), 0); }

TEST(LatenciesTest, PercentilesAreOffByOnePercentAtMost) {
  Latencies latencies;
  for (int ms = 1; ms <= 1000; ++ms) latencies.Add(ms);
  EXPECT_EQ(latencies.count(), 1000);
  EXPECT_NEAR(latencies.PercentileMs(0.5), 500, 5);
  EXPECT_NEAR(latencies.PercentileMs(0.99), 990, 9.9);
  EXPECT_NEAR(latencies.PercentileMs(1), 1000, 10);
}

TEST(LatenciesTest, OneSlowRequestOfAHundredIsNotInTheP99) {
  Latencies latencies;
  for (int i = 0; i < 99; ++i) latencies.Add(2);
  latencies.Add(800);
  EXPECT_NEAR(latencies.PercentileMs(0.99), 2, 0.02);
  EXPECT_NEAR(latencies.PercentileMs(1), 800, 8);
}

TEST(LatenciesTest, ShortOnesAreExactToTheMicrosecond) {
  Latencies latencies;
  latencies.Add(0.063);
  EXPECT_EQ(latencies.PercentileMs(0.5), 0.063);
}

TEST(LatenciesTest, WhatIsTooLongOrNegativeIsCountedAtTheEnds) {
  Latencies latencies;
  latencies.Add(-1);
  latencies.Add(1e12);
  EXPECT_EQ(latencies.PercentileMs(0.5), 0);
  EXPECT_GT(latencies.PercentileMs(1), 60'000'000);
}

TEST(LatenciesTest, TwoCountsAddUp) {
  Latencies both, other;
  both.Add(10);
  other.Add(20);
  both.Add(other);
  EXPECT_EQ(both.count(), 2);
  EXPECT_NEAR(both.PercentileMs(1), 20, 0.2);
}

}  // namespace
}  // namespace baton::load
