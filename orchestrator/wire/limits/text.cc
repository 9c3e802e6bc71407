#include "orchestrator/wire/limits/text.h"

#include <utf8.h>

#include <algorithm>
#include <cctype>

namespace baton::wire {
namespace {

// Each byte that belongs to no character becomes '?', and so does each control character of ASCII that `kept` does not
// have. (utf8::replace_invalid makes one mark of several bytes, and of all that follows a character that is cut off.)
std::string Replaced(std::string_view text, std::string_view kept) {
  std::string valid;
  valid.reserve(text.size());
  for (auto at = text.begin(); at != text.end();) {
    const auto invalid = utf8::find_invalid(at, text.end());
    valid.append(at, invalid);
    at = invalid;
    if (at != text.end()) valid += '?', ++at;
  }
  std::ranges::replace_if(
      valid, [kept](char c) { return IsControl(c) && kept.find(c) == std::string_view::npos; }, '?');
  return valid;
}

constexpr std::size_t kShortWordBytesMax = 64;

bool IsNameByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == ':' || c == '-';
}

}  // namespace

bool IsUtf8(std::string_view text) {
  // Most texts have no other bytes than those of ASCII, and this finds it in half the time.
  const auto beyond_ascii = std::ranges::find_if(text, [](char c) { return (c & 0x80) != 0; });
  return utf8::is_valid(beyond_ascii, text.end());
}

bool IsText(std::string_view value) { return value.find('\0') == std::string_view::npos && IsUtf8(value); }

std::string Shown(std::string_view value) {
  constexpr std::size_t kMax = 80;
  const bool name = std::ranges::all_of(value, [](char c) { return IsNameByte(c) || c == '/'; });
  if (!name) return "(no name, " + std::to_string(value.size()) + " bytes)";
  return "'" + std::string(value.substr(0, kMax)) + (value.size() > kMax ? "...'" : "'");
}

Status CheckName(std::string_view field, std::string_view value) {
  if (value.empty()) return InvalidArgument(std::string(field) + " is empty; it takes 1 to 255 of [A-Za-z0-9._:-]");
  if (value.size() > kNameBytesMax) {
    return InvalidArgument(std::string(field) + " is " + std::to_string(value.size()) +
                           " bytes long; it may be 255 at most");
  }
  if (!std::ranges::all_of(value, IsNameByte)) {
    return InvalidArgument(std::string(field) + " is not what it may be; it takes only [A-Za-z0-9._:-]");
  }
  return Done{};
}

Status CheckText(std::string_view field, std::string_view value, std::size_t bytes_max) {
  if (value.size() > bytes_max) {
    return InvalidArgument(std::string(field) + " is " + std::to_string(value.size()) + " bytes long; it may be " +
                           std::to_string(bytes_max) + " at most");
  }
  if (value.find('\0') != std::string_view::npos)
    return InvalidArgument(std::string(field) + " contains a NUL character");
  if (!IsUtf8(value)) return InvalidArgument(std::string(field) + " is not valid UTF-8");
  return Done{};
}

Status CheckRange(std::string_view field, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return Done{};
  return InvalidArgument(std::string(field) + " is " + std::to_string(value) + "; it takes " + std::to_string(least) +
                         " to " + std::to_string(most));
}

std::string Clean(std::string_view text) { return Replaced(text, "\n\t\x7f"); }

std::string ShortWord(std::string_view text) {
  std::string word = Replaced(text, "");
  word.resize(std::min(word.size(), kShortWordBytesMax));
  word.erase(utf8::find_invalid(word.begin(), word.end()), word.end());  // a character that was cut in two
  return word;
}

}  // namespace baton::wire
