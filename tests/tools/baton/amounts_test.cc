#include "tools/baton/yaml/amounts.h"

#include <gtest/gtest.h>

namespace baton::cli {
namespace {

TEST(Amounts, SizesAreBinaryAndNeedAUnit) {
  EXPECT_EQ(ParseMebibytes("256MiB"), 256);
  EXPECT_EQ(ParseMebibytes("256M"), 256);
  EXPECT_EQ(ParseMebibytes("2GiB"), 2048);
  EXPECT_EQ(ParseMebibytes("1T"), 1 << 20);
  for (const char* wrong : {"", "256", "MiB", "-1MiB", "1.5GiB", "1 GiB", "1KiB", "9223372036854775807GiB"}) {
    EXPECT_FALSE(ParseMebibytes(wrong)) << wrong;
  }
}

TEST(Amounts, DurationsAreUnitsFromTheGreatestDown) {
  EXPECT_EQ(ParseMilliseconds("0"), 0);
  EXPECT_EQ(ParseMilliseconds("10s"), 10'000);
  EXPECT_EQ(ParseMilliseconds("1m30s"), 90'000);
  EXPECT_EQ(ParseMilliseconds("1d2h3m4s5ms"), 93'784'005);
  for (const char* wrong : {"", "10", "s", "-1s", "30s1m", "1s1s", "1.5s", "1 s", "1w", "9223372036854775807d"}) {
    EXPECT_FALSE(ParseMilliseconds(wrong)) << wrong;
  }
}

TEST(Amounts, OfInstancesOrPercent) {
  EXPECT_EQ(ParseAmount("2")->value, 2);
  EXPECT_FALSE(ParseAmount("2")->percent);
  EXPECT_TRUE(ParseAmount("25%")->percent);
  for (const char* wrong : {"", "%", "-1", "25 %", "25%%", "0x2", "2147483648"})
    EXPECT_FALSE(ParseAmount(wrong)) << wrong;
}

}  // namespace
}  // namespace baton::cli
