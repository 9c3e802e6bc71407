#include "tools/baton/yaml/amounts.h"

#include <array>
#include <charconv>
#include <limits>

namespace baton::cli {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t worth;
};

constexpr std::int64_t kAmountMax = std::numeric_limits<std::int64_t>::max();
constexpr std::array<Unit, 6> kSizes{
    {{"MiB", 1}, {"M", 1}, {"GiB", 1024}, {"G", 1024}, {"TiB", 1 << 20}, {"T", 1 << 20}}};
// From the greatest to the smallest, the order in which they may be written.
constexpr std::array<Unit, 5> kTimes{{{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1000}, {"ms", 1}}};

// Takes the digits off the front of `text`.
std::optional<std::int64_t> TakeNumber(std::string_view& text) {
  std::int64_t number = 0;
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::string_view TakeLetters(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && (text[length] < '0' || text[length] > '9')) ++length;
  const std::string_view letters = text.substr(0, length);
  text.remove_prefix(length);
  return letters;
}

}  // namespace

std::optional<std::int64_t> ParseMebibytes(std::string_view text) {
  const auto number = TakeNumber(text);
  if (!number) return std::nullopt;
  for (const Unit& unit : kSizes) {
    if (unit.name == text && *number <= kAmountMax / unit.worth) return *number * unit.worth;
  }
  return std::nullopt;
}

std::optional<std::int64_t> ParseMilliseconds(std::string_view text) {
  if (text == "0") return 0;
  std::int64_t total = 0;
  std::size_t next = 0;  // units that may still come
  do {
    const auto number = TakeNumber(text);
    const std::string_view name = TakeLetters(text);
    while (next < kTimes.size() && kTimes[next].name != name) ++next;
    if (!number || next == kTimes.size() || *number > (kAmountMax - total) / kTimes[next].worth) return std::nullopt;
    total += *number * kTimes[next++].worth;
  } while (!text.empty());
  return total;
}

std::optional<Amount> ParseAmount(std::string_view text) {
  const auto number = TakeNumber(text);
  if (!number || *number > std::numeric_limits<std::int32_t>::max() || (!text.empty() && text != "%")) {
    return std::nullopt;
  }
  return Amount{static_cast<std::int32_t>(*number), !text.empty()};
}

}  // namespace baton::cli
