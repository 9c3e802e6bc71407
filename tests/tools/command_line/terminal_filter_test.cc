// What an app writes does nothing to the terminal of who reads it.
#include <gtest/gtest.h>

#include "tools/command_line/terminal_filter.h"

namespace baton {
namespace {

std::string Passed(std::string_view bytes) { return TerminalFilter().Pass(bytes); }

TEST(TerminalFilter, TextPassesInAnyScript) {
  const std::string text = "one\ttwo\n\xc3\xa4\xc2\xa0\xe2\x82\xac \xf0\x9f\x98\x80 \xd7\x9b\n";
  EXPECT_EQ(Passed(text), text);
  TerminalFilter by_bytes;
  std::string all;
  for (const char c : text) all += by_bytes.Pass({&c, 1});
  EXPECT_EQ(all, text);
}

TEST(TerminalFilter, SequencesAreLeftOut) {
  EXPECT_EQ(Passed("\x1b[31mred\x1b[0m\n"), "red\n");
  EXPECT_EQ(Passed("a\x1b]0;title\x07" "b\n"), "ab\n");
  EXPECT_EQ(Passed("a\x1b]52;c;cm0gLXJm\x1b\\b\n"), "ab\n");
  EXPECT_EQ(Passed("a\x1bP$q\"p\x1b\\b\x1b(Bc\x1b" "cd\n"), "abcd\n");
}

TEST(TerminalFilter, OneThatIsCutInTwoIsLeftOutToo) {
  TerminalFilter filter;
  EXPECT_EQ(filter.Pass("a\x1b"), "a");
  EXPECT_EQ(filter.Pass("[3"), "");
  EXPECT_EQ(filter.Pass("1mred\xc2"), "red");
  EXPECT_EQ(filter.Pass("\x9b" "31m"), "?31m");
}

TEST(TerminalFilter, OneThatNeverEndsHidesItsLineOnly) {
  EXPECT_EQ(Passed("a\x1b]0;no end\nb\x1b[12\nc\n"), "a\nb\nc\n");
}

TEST(TerminalFilter, OtherControlCharactersAreQuestionMarks) {
  EXPECT_EQ(Passed(std::string_view("a\0b\bc\x7f" "d\x9b" "e\xc2\x9b" "f\xff\n", 14)), "a?b?c?d?e?f\xff\n");
  EXPECT_EQ(Passed("100%\rgone\r\n"), "100%gone\n");
}

}  // namespace
}  // namespace baton
