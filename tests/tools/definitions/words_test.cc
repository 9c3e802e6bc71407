#include "tools/definitions/words.h"

#include <gtest/gtest.h>

#include "tools/definitions/table.h"

namespace baton {
namespace {

TEST(Words, AgesHaveOneUnit) {
  EXPECT_EQ(AgeText(seconds(-5)), "0s");
  EXPECT_EQ(AgeText(seconds(119)), "119s");
  EXPECT_EQ(AgeText(seconds(120)), "2m");
  EXPECT_EQ(AgeText(seconds(7199)), "119m");
  EXPECT_EQ(AgeText(seconds(7200)), "2h");
  EXPECT_EQ(AgeText(seconds(172'799)), "47h");
  EXPECT_EQ(AgeText(seconds(172'800)), "2d");
}

TEST(Words, SizesAndCounts) {
  EXPECT_EQ(SizeText(1023), "1023 B");
  EXPECT_EQ(SizeText(1536), "1.5 KiB");
  EXPECT_EQ(SizeText(1 << 20), "1.0 MiB");
  EXPECT_EQ(Counted(1, "fault"), "1 fault");
  EXPECT_EQ(Counted(0, "fault"), "0 faults");
}

TEST(Words, TimesAreUtcToTheMicrosecond) {
  EXPECT_EQ(Utc(FromMicros(1'795'210'445'000'007)), "2026-11-20T21:34:05.000007Z");
}

TEST(TextTable, ColumnsOnlyGrowAndControlBytesGo) {
  TextTable table;
  EXPECT_EQ(table.Lines({{"A", "B"}, {"one", "x"}}), "A    B\none  x\n");
  EXPECT_EQ(table.Lines({{"", "\x1b[31mred\n"}}), "-     [31mred\n");
  EXPECT_EQ(table.Lines({{"longer", "x"}}), "longer  x\n");
  EXPECT_EQ(table.Lines({{"s", "x"}}), "s       x\n");
}

}  // namespace
}  // namespace baton
