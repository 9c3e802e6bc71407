// What is a text, and what becomes of what is none: by the definition of Unicode (RFC 3629), written down here once
// more.
#include "orchestrator/wire/limits/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace baton::wire {
namespace {

// Without a check: surrogates and what is beyond Unicode, too. `length` more than is needed makes it overlong.
std::string Encoded(std::uint32_t code_point, int length) {
  if (length == 1) return {static_cast<char>(code_point)};
  std::string bytes;
  for (int left = length - 1; left > 0; --left, code_point >>= 6)
    bytes.insert(bytes.begin(), static_cast<char>(0x80 | (code_point & 0x3F)));
  bytes.insert(bytes.begin(), static_cast<char>(((0xF00 >> length) & 0xFF) | code_point));
  return bytes;
}
int LengthOf(std::uint32_t code_point) {
  return code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
}
bool IsCharacter(std::uint32_t code_point) {
  return code_point <= 0x10FFFF && (code_point < 0xD800 || code_point > 0xDFFF);
}

void ExpectOnlyItsShortestWholeForm(std::uint32_t code_point) {
  SCOPED_TRACE(code_point);
  const int length = LengthOf(code_point);
  const std::string whole = Encoded(code_point, length);
  ASSERT_EQ(IsUtf8(whole), IsCharacter(code_point));
  for (int cut = 1; cut < length; ++cut) ASSERT_FALSE(IsUtf8(whole.substr(0, static_cast<std::size_t>(cut))));
  if (length < 4) {
    ASSERT_FALSE(IsUtf8(Encoded(code_point, length + 1))) << "overlong";
  }
}

TEST(Text, OfEachCodePointItIsUtf8InItsShortestFormWholeAndNoSurrogate) {
  for (std::uint32_t near : {0x0U, 0x80U, 0x800U, 0xD800U, 0xE000U, 0x10000U, 0x110000U}) {
    for (std::uint32_t code_point = near < 0x100 ? 0 : near - 0x100; code_point < near + 0x100; ++code_point)
      ExpectOnlyItsShortestWholeForm(code_point);
  }
  for (std::uint32_t code_point = 0; code_point < 0x200000; code_point += 61)
    ExpectOnlyItsShortestWholeForm(code_point);
}

TEST(Text, EachByteOfNoCharacterBecomesAQuestionMark) {
  EXPECT_EQ(Clean("a\xFFz"), "a?z");
  EXPECT_EQ(Clean("a\xC0\xAFz"), "a??z");            // '/', overlong
  EXPECT_EQ(Clean("a\xED\xA0\x80z"), "a???z");       // a surrogate
  EXPECT_EQ(Clean("a\xF4\x90\x80\x80z"), "a????z");  // beyond U+10FFFF
  EXPECT_EQ(Clean("a\xE2\x82z"), "a??z");            // cut off by another character
  EXPECT_EQ(Clean("a\xF0\x9F\x98"), "a???");         // and by the end
  EXPECT_EQ(Clean("\xE2\x82\xAC\xC3\xA4"), "\xE2\x82\xAC\xC3\xA4");
}

TEST(Text, ControlCharactersAreReplacedButForEndsOfLinesAndTabs) {
  EXPECT_EQ(Clean(std::string_view("a\0b\x1F\r\n\t\x7F", 8)), "a?b??\n\t\x7F");
  EXPECT_EQ(ShortWord("a\nb\tc\x7F"), "a?b?c?");
}

TEST(Text, AShortWordEndsBeforeACharacterThatWouldBeCut) {
  const std::string euro = "\xE2\x82\xAC";
  EXPECT_EQ(ShortWord(std::string(61, 'x') + euro + "y"), std::string(61, 'x') + euro);
  EXPECT_EQ(ShortWord(std::string(62, 'x') + euro + "y"), std::string(62, 'x'));
  EXPECT_EQ(ShortWord(std::string(63, 'x') + "\xE2"), std::string(63, 'x') + "?");
}

// Bytes at which the rules of UTF-8 change, far more often than chance would have them.
std::string AnyBytes() {
  static const std::string kEdges(
      "\0\n\x1F"
      "a\x7F\x80\x8F\x90\x9F\xA0\xBF\xC1\xC2\xDF\xE0\xEC\xED\xEF\xF0\xF4\xF5\xFF",
      22);
  return *rc::gen::container<std::string>(rc::gen::oneOf(rc::gen::elementOf(kEdges), rc::gen::arbitrary<char>()));
}

RC_GTEST_PROP(TextOfAnyBytes, IsUtf8OnceItIsCleanAndStaysAsItIs, ()) {
  const std::string clean = Clean(AnyBytes());
  RC_ASSERT(IsUtf8(clean));
  RC_ASSERT(Clean(clean) == clean);
}

RC_GTEST_PROP(TextOfAnyBytes, KeepsItsLengthAndEachByteThatIsNotReplaced, ()) {
  const std::string bytes = AnyBytes();
  const std::string clean = Clean(bytes);
  RC_ASSERT(clean.size() == bytes.size());
  RC_ASSERT(std::ranges::equal(clean, bytes, [](char now, char before) { return now == before || now == '?'; }));
}

RC_GTEST_PROP(TextOfAnyBytes, IsLeftAloneWhereItIsUtf8WithoutControlCharacters, ()) {
  std::string text;
  for (const auto code_point :
       *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(0x20, 0x110000))) {
    if (IsCharacter(code_point)) text += Encoded(code_point, LengthOf(code_point));
  }
  RC_ASSERT(IsUtf8(text));
  RC_ASSERT(Clean(text) == text);
}

RC_GTEST_PROP(TextOfAnyBytes, AsAShortWordIsTheFirstBytesOfIt, ()) {
  const std::string bytes = AnyBytes() + AnyBytes();
  const std::string word = ShortWord(bytes);
  RC_ASSERT(IsUtf8(word));
  RC_ASSERT(word.size() <= 64);
  RC_ASSERT(bytes.size() > 64 || word.size() == bytes.size());
  RC_ASSERT(bytes.size() <= 64 || word.size() > 60);
  RC_ASSERT(std::ranges::none_of(word, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7F'; }));
}

}  // namespace
}  // namespace baton::wire
