#include "tools/words/times.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

TEST(Times, AgesHaveOneUnit) {
  EXPECT_EQ(AgeText(seconds(-5)), "0s");
  EXPECT_EQ(AgeText(seconds(119)), "119s");
  EXPECT_EQ(AgeText(seconds(120)), "2m");
  EXPECT_EQ(AgeText(seconds(7199)), "119m");
  EXPECT_EQ(AgeText(seconds(7200)), "2h");
  EXPECT_EQ(AgeText(seconds(172'799)), "47h");
  EXPECT_EQ(AgeText(seconds(172'800)), "2d");
}

TEST(Times, DurationsAreTheTwoGreatestUnits) {
  EXPECT_EQ(HumanDuration(0), "0s");
  EXPECT_EQ(HumanDuration(-5), "0s") << "clocks differ";
  EXPECT_EQ(HumanDuration(850), "850ms");
  EXPECT_EQ(HumanDuration(42'900), "42s");
  EXPECT_EQ(HumanDuration(192'000), "3m12s");
  EXPECT_EQ(HumanDuration(18'180'000), "5h3m");
  EXPECT_EQ(HumanDuration(12 * 86'400'000LL + 4 * 3'600'000LL), "12d4h");
}

TEST(Times, AreUtcToTheMicrosecond) {
  EXPECT_EQ(Utc(FromMicros(1'795'210'445'000'007)), "2026-11-20T21:34:05.000007Z");
}

TEST(Times, OfPeopleHaveSeconds) {
  EXPECT_EQ(HumanTime(1'795'210'445'000'007'999), "2026-11-20 21:34:05 UTC");
  EXPECT_EQ(HumanTime(0), "-");
}

}  // namespace
}  // namespace baton
