#include "sql/session/array.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "orchestrator/base/check.h"

namespace baton {
namespace {

using namespace std::chrono_literals;
constexpr TimePoint kTimeMin = std::chrono::sys_days(1700y / 1 / 1);
constexpr TimePoint kTimeMax = std::chrono::sys_days(2250y / 1 / 1);

// Of each character; what is no digit is 0.
constexpr std::array<unsigned char, 256> kDigitOf = [] {
  std::array<unsigned char, 256> digits{};
  for (unsigned char c = 0; c < 10; ++c) digits['0' + c] = c;
  for (unsigned char c = 0; c < 6; ++c) digits['a' + c] = digits['A' + c] = 10 + c;
  return digits;
}();

// Of eight digits, in one word: a byte has its value in its lower half, a letter 9 less than that, and the bit 6, which
// figures have not.
std::uint32_t FourBytes(const char* digits) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word;
  std::memcpy(&word, digits, sizeof word);
  word = (word & 0x0f0f0f0f0f0f0f0f) + 9 * (word >> 6 & 0x0101010101010101);
  word = (word << 4 | word >> 8) & 0x00ff00ff00ff00ff;
  word = (word | word >> 8) & 0x0000ffff0000ffff;
  return static_cast<std::uint32_t>(word | word >> 16);
}

int Number(std::string_view text, std::size_t at, std::size_t length) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + at + length, value);
  CHECK(error == std::errc() && end == text.data() + at + length);
  return value;
}

}  // namespace

void ArrayParam::Comma() {
  if (!elements_.empty()) elements_ += ',';
}

namespace {

void AddHex(std::string& text, std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::size_t at = text.size();
  text.resize(at + 2 * bytes.size());
  for (const char c : bytes) {
    text[at++] = kDigits[static_cast<unsigned char>(c) >> 4];
    text[at++] = kDigits[static_cast<unsigned char>(c) & 15];
  }
}

}  // namespace

void ArrayParam::Text(std::string_view value) {
  CHECK(value.find('\0') == std::string_view::npos);
  Comma();
  elements_ += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') elements_ += '\\';
    elements_ += c;
  }
  elements_ += '"';
}

void ArrayParam::Bytes(std::string_view value) {
  Comma();
  elements_ += "\"\\\\x";
  AddHex(elements_, value);
  elements_ += '"';
}

void ArrayParam::Int(std::int64_t value) {
  Comma();
  elements_ += std::to_string(value);
}

void ArrayParam::Bool(bool value) {
  Comma();
  elements_ += value ? 't' : 'f';
}

void ArrayParam::Null() {
  Comma();
  elements_ += "NULL";
}

std::vector<std::string> ParseArray(std::string_view text) {
  if (text.starts_with('[')) text.remove_prefix(text.find('=') + 1);  // bounds that are not from 1 come before it
  CHECK(text.size() >= 2 && text.front() == '{' && text.back() == '}');
  text = text.substr(1, text.size() - 2);
  std::vector<std::string> elements;
  for (std::size_t at = 0; at < text.size();) {
    std::string element;
    const bool quoted = text[at] == '"';
    if (quoted) ++at;
    while (at < text.size() && text[at] != (quoted ? '"' : ',')) {
      if (text[at] == '\\') ++at;
      element += text[at++];
    }
    if (quoted) ++at;
    ++at;  // the comma
    elements.push_back(std::move(element));
  }
  return elements;
}

TimePoint ParseTime(std::string_view text) {
  // What no clock has ever said, and a hand may have written: nanoseconds of what lies beyond would not fit in 64 bits.
  constexpr std::size_t kYearDigits = 4;
  if (text == "-infinity" || text.ends_with(" BC")) return kTimeMin;
  if (text == "infinity" || text.find('-') > kYearDigits) return kTimeMax;
  CHECK(text.size() >= 22 && text.substr(text.size() - 3) == "+00");
  using namespace std::chrono;
  const year_month_day date{year(Number(text, 0, 4)), month(static_cast<unsigned>(Number(text, 5, 2))),
                            day(static_cast<unsigned>(Number(text, 8, 2)))};
  Duration since_midnight =
      hours(Number(text, 11, 2)) + minutes(Number(text, 14, 2)) + std::chrono::seconds(Number(text, 17, 2));
  if (text[19] == '.') {
    const std::size_t digits = text.size() - 3 - 20;
    int micros = Number(text, 20, digits);
    for (std::size_t i = digits; i < 6; ++i) micros *= 10;
    since_midnight += Duration(micros);
  }
  return std::clamp<TimePoint>(sys_days(date) + since_midnight, kTimeMin, kTimeMax);
}

std::string BytesParam(std::string_view bytes) {
  std::string text = "\\x";
  AddHex(text, bytes);
  return text;
}

std::string ParseBytes(std::string_view text) {
  CHECK(text.starts_with("\\x") && text.size() % 2 == 0);
  std::string bytes(text.size() / 2 - 1, '\0');
  std::size_t at = 2;
  for (; at + 8 <= text.size(); at += 8) {
    const std::uint32_t four = FourBytes(&text[at]);
    std::memcpy(&bytes[at / 2 - 1], &four, sizeof four);
  }
  for (; at < text.size(); at += 2) {
    const auto digit = [&](std::size_t i) { return kDigitOf[static_cast<unsigned char>(text[i])]; };
    bytes[at / 2 - 1] = static_cast<char>(digit(at) << 4 | digit(at + 1));
  }
  return bytes;
}

}  // namespace baton
