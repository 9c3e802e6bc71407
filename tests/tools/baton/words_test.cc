#include "tools/baton/words.h"

#include <gtest/gtest.h>

#include "tools/baton/table.h"

namespace baton::cli {
namespace {

TEST(CliWords, DurationsAreTheTwoGreatestUnits) {
  EXPECT_EQ(HumanDuration(0), "0s");
  EXPECT_EQ(HumanDuration(-5), "0s") << "clocks differ";
  EXPECT_EQ(HumanDuration(850), "850ms");
  EXPECT_EQ(HumanDuration(42'900), "42s");
  EXPECT_EQ(HumanDuration(192'000), "3m12s");
  EXPECT_EQ(HumanDuration(18'180'000), "5h3m");
  EXPECT_EQ(HumanDuration(12 * 86'400'000LL + 4 * 3'600'000LL), "12d4h");
}

TEST(CliWords, WhatAnAppWroteDoesNothingToATerminal) {
  EXPECT_EQ(OneLine("red \x1b[31m\nnext\t"), "red ?[31m / next?");
  EXPECT_EQ(Width("Zürich"), 6u);
}

TEST(CliWords, AGivenNameIsNotCut) {
  EXPECT_EQ(ShortDefinition(std::string(64, 'a')), std::string(12, 'a'));
  EXPECT_EQ(ShortDefinition("a-release-name-that-is-quite-long"), "a-release-name-that-is-quite-long");
}

TEST(CliTable, ColumnsAreAlignedByCharacterAndEmptyCellsAreADash) {
  EXPECT_EQ(Render(Table{{"APP", "ZONE", "X"}, {{"Zürich", "", "1"}, {"a", "b", "22"}}}),
            "APP     ZONE  X\n"
            "Zürich  -     1\n"
            "a       b     22\n");
}

TEST(CliTable, FactsKeepTheirLinesBelowEachOther) {
  EXPECT_EQ(Render({{"Name", "a"}, {"None", ""}, {"Content", "x: 1\ny: 2\n"}}, 2),
            "  Name:     a\n"
            "  Content:  x: 1\n"
            "            y: 2\n");
}

}  // namespace
}  // namespace baton::cli
