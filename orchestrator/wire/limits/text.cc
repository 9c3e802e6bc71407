#include "orchestrator/wire/limits/text.h"

#include <algorithm>
#include <cctype>

namespace baton::wire {
namespace {

Error Invalid(std::string message) { return Error{ErrorKind::kInvalidArgument, std::move(message)}; }

// Length of the UTF-8 sequence at `at`; 0 where there is none. Overlong forms and surrogates are none.
std::size_t SequenceLength(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F)) return 0;
  if ((first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F)) return 0;
  return length;
}

constexpr std::size_t kShortWordBytesMost = 64;

bool IsNameByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == ':' || c == '-';
}

}  // namespace

bool IsUtf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = SequenceLength(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string Shown(std::string_view value) {
  constexpr std::size_t kMost = 80;
  const bool name = std::ranges::all_of(value, [](char c) { return IsNameByte(c) || c == '/'; });
  if (!name) return "(no name, " + std::to_string(value.size()) + " bytes)";
  return "'" + std::string(value.substr(0, kMost)) + (value.size() > kMost ? "...'" : "'");
}

Status CheckName(std::string_view field, std::string_view value) {
  if (value.empty()) return Invalid(std::string(field) + " is empty; it takes 1 to 255 of [A-Za-z0-9._:-]");
  if (value.size() > kNameBytesMost) {
    return Invalid(std::string(field) + " is " + std::to_string(value.size()) + " bytes long; it may be 255 at most");
  }
  if (!std::ranges::all_of(value, IsNameByte)) {
    return Invalid(std::string(field) + " is not what it may be; it takes only [A-Za-z0-9._:-]");
  }
  return Done{};
}

Status CheckText(std::string_view field, std::string_view value, std::size_t bytes_most) {
  if (value.size() > bytes_most) {
    return Invalid(std::string(field) + " is " + std::to_string(value.size()) + " bytes long; it may be " +
                   std::to_string(bytes_most) + " at most");
  }
  if (value.find('\0') != std::string_view::npos) return Invalid(std::string(field) + " contains a NUL character");
  if (!IsUtf8(value)) return Invalid(std::string(field) + " is not valid UTF-8");
  return Done{};
}

Status CheckRange(std::string_view field, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return Done{};
  return Invalid(std::string(field) + " is " + std::to_string(value) + "; it takes " + std::to_string(least) + " to " +
                 std::to_string(most));
}

std::string Clean(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = SequenceLength(text, at);
    const bool control =
        length == 1 && static_cast<unsigned char>(text[at]) < 0x20 && text[at] != '\n' && text[at] != '\t';
    if (length == 0 || control) {
      clean += '?';
      ++at;
    } else {
      clean.append(text.substr(at, length));
      at += length;
    }
  }
  return clean;
}

std::string ShortWord(std::string_view text) {
  std::string word;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = SequenceLength(text, at);
    const bool control = length == 1 && (static_cast<unsigned char>(text[at]) < 0x20 || text[at] == 0x7f);
    if (word.size() + std::max<std::size_t>(length, 1) > kShortWordBytesMost) break;
    length == 0 || control ? word += '?' : word.append(text.substr(at, length));
    at += std::max<std::size_t>(length, 1);
  }
  return word;
}

}  // namespace baton::wire
