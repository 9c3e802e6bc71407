#include "tools/words/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/words/text.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

constexpr char kLong[] =
    "0123456789abcdef0123456789abcdef-a-name-that-somebody-made-of-everything-he-knew, and some words, which end here";

TEST(Text, WhatAnAppWroteDoesNothingToATerminal) {
  EXPECT_EQ(OneLine("red \x1b[31m\nnext\t"), "red ?[31m / next?");
  EXPECT_EQ(Width("Zürich"), 6u);
}

TEST(Table, ColumnsAreAlignedByCharacterAndEmptyCellsAreADash) {
  EXPECT_EQ(Render(Table{{"APP", "ZONE", "X"}, {{"Zürich", "", "1"}, {"a", "b", "22"}}}),
            "APP     ZONE  X\n"
            "Zürich  -     1\n"
            "a       b     22\n");
}

TEST(Table, FactsKeepTheirLinesBelowEachOther) {
  EXPECT_EQ(Render({{"Name", "a"}, {"None", ""}, {"Content", "x: 1\ny: 2\n"}}, 2),
            "  Name:     a\n"
            "  Content:  x: 1\n"
            "            y: 2\n");
}

TEST(Table, WhatIsTooLongGoesOnBelowItselfAndNothingIsCut) {
  const Table table{{"A", "WHY", "B"}, {{"one", "because it is so, and not otherwise", "x"}, {"2", "", ""}}, 20};
  EXPECT_EQ(Render(table),
            "A    WHY           B\n"
            "one  because it    x\n"
            "     is so, and\n"
            "     not\n"
            "     otherwise\n"
            "2    -             -\n");
}

TEST(Table, AnIdIsBrokenLast) {
  const std::string id = "5abe2a7b-b0ef-44ca-8a14-89f0e8a36756";
  const Table table{{"ID", "WHY"}, {{id, "one two three four five six seven eight"}}, 50};
  EXPECT_THAT(Render(table), HasSubstr("\n" + id + "  one two\n"));
}

TEST(Table, WithoutALimitEachRowIsALine) {
  const Table table{{"A", "WHY"}, {{kLong, kLong}}, 0};
  EXPECT_EQ(Render(table).find('\n', Render(table).find('\n') + 1) + 1, Render(table).size());
}

TEST(Wrapped, EndsLinesBetweenWordsWhereItCan) {
  using ::testing::ElementsAre;
  EXPECT_THAT(Wrapped("", 5), ElementsAre(""));
  EXPECT_THAT(Wrapped("one two", 7), ElementsAre("one two"));
  EXPECT_THAT(Wrapped("one two", 6), ElementsAre("one", "two"));
  EXPECT_THAT(Wrapped("a,b,c", 4), ElementsAre("a,b,", "c"));
  EXPECT_THAT(Wrapped("abcdefgh", 3), ElementsAre("abc", "def", "gh"));
  EXPECT_THAT(Wrapped("\u00e4\u00f6\u00fc\u00df", 3), ElementsAre("\u00e4\u00f6\u00fc", "\u00df"))
      << "by characters, not by bytes";
  EXPECT_THAT(Wrapped("ab", 0), ElementsAre("a", "b"));
}

TEST(PagedTable, ColumnsOnlyGrowAndControlBytesGo) {
  PagedTable table;
  EXPECT_EQ(table.Lines({{"A", "B"}, {"one", "x"}}), "A    B\none  x\n");
  EXPECT_EQ(table.Lines({{"", "\x1b[31mred\n"}}), "-    ?[31mred\n");
  EXPECT_EQ(table.Lines({{"longer", "x"}}), "longer  x\n");
  EXPECT_EQ(table.Lines({{"s", "x"}}), "s       x\n");
}

TEST(PagedTable, ColumnsAreAlignedByCharacter) {
  PagedTable table;
  EXPECT_EQ(table.Lines({{"APP", "STATE"}, {"Zürich", "ok"}, {"Bern", "ok"}}),
            "APP     STATE\n"
            "Zürich  ok\n"
            "Bern    ok\n");
}

}  // namespace
}  // namespace baton
