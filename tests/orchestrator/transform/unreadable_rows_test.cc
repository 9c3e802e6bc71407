#include "orchestrator/transform/services/unreadable_rows.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace baton::transform {
namespace {

std::string TextOf(const std::vector<std::string>& rows) {
  UnreadableRows unreadable;
  for (const std::string& row : rows) unreadable.Add(row);
  return unreadable.Text();
}

TEST(UnreadableRows, AreCountedAndNamedInPrintableAscii) {
  EXPECT_EQ(TextOf({}), "");
  EXPECT_EQ(TextOf({"app shop", "instance i-1 of a.b_c:d"}), "2 app%20shop instance%20i-1%20of%20a.b_c:d");
  EXPECT_EQ(TextOf({std::string("app \xc3\xa4\n%\0", 9)}), "1 app%20%C3%A4%0A%25%00");
}

TEST(UnreadableRows, OnlyTheFirstFewAreNamedHoweverManyAndHoweverLong) {
  EXPECT_EQ(TextOf({"1", "2", "3", "4", "5", "6", "7"}), "7 1 2 3 4 5");
  const std::string text = TextOf(std::vector<std::string>(100'000, std::string(255, '\xff')));
  EXPECT_TRUE(text.starts_with("100000 %FF"));
  EXPECT_LE(text.size(), 2'010u);
  EXPECT_EQ(TextOf({std::string(100'000, 'x'), "short"}), "2 short");
}

}  // namespace
}  // namespace baton::transform
