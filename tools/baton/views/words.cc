#include "tools/baton/views/words.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

namespace baton::cli {
namespace {

constexpr std::int64_t kNanosPerMs = 1'000'000;
constexpr std::size_t kShortHash = 12;
constexpr std::size_t kHash = 64;

bool IsHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool IsControl(char c) { return (static_cast<unsigned char>(c) < 0x20) || c == 0x7F; }

}  // namespace

std::string HumanDuration(std::int64_t ms) {
  struct Unit {
    const char* name;
    std::int64_t ms;
  };
  static constexpr std::array<Unit, 4> kUnits{{{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1000}}};
  if (ms > 0 && ms < 1000) return std::to_string(ms) + "ms";
  for (std::size_t i = 0; i < kUnits.size(); ++i) {
    if (ms < kUnits[i].ms) continue;
    std::string text = std::to_string(ms / kUnits[i].ms) + kUnits[i].name;
    if (i + 1 == kUnits.size()) return text;
    const std::int64_t rest = ms % kUnits[i].ms / kUnits[i + 1].ms;
    return rest == 0 ? text : text + std::to_string(rest) + kUnits[i + 1].name;
  }
  return "0s";
}

std::string Age(std::int64_t since, std::int64_t now) {
  return since == 0 ? "-" : HumanDuration((now - since) / kNanosPerMs);
}

std::string HumanTime(std::int64_t nanos) {
  if (nanos == 0) return "-";
  const std::time_t seconds = nanos / 1'000'000'000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[40];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &utc)};
}

std::string HumanMebibytes(std::int64_t mb) {
  if (mb == 0) return "-";
  if (mb < 1024) return std::to_string(mb) + "MiB";
  if (mb % 1024 == 0) return std::to_string(mb / 1024) + "GiB";
  char text[32];
  std::snprintf(text, sizeof text, "%.1fGiB", static_cast<double>(mb) / 1024);
  return text;
}

std::string ShortDefinition(const std::string& identifier) {
  if (identifier.empty()) return "-";
  const bool hash = identifier.size() == kHash && std::ranges::all_of(identifier, IsHex);
  return hash ? identifier.substr(0, kShortHash) : identifier;
}

std::string OneLine(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  std::string line;
  for (const char c : text) {
    if (c == '\n') {
      line += " / ";
    } else if (c != '\r') {
      line += IsControl(c) ? '?' : c;
    }
  }
  return line;
}

std::string Harmless(std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(
      result, [](char c) { return IsControl(c) && c != '\n' && c != '\t'; }, '?');
  return result;
}

bool IsUuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !IsHex(text[i])) return false;
  }
  return true;
}

std::size_t Width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::vector<std::string> Wrapped(std::string_view text, std::size_t columns) {
  columns = std::max<std::size_t>(columns, 1);
  std::vector<std::string> lines;
  while (Width(text) > columns) {
    std::size_t fits = 0;  // bytes
    for (std::size_t taken = 0; fits < text.size(); ++fits) {
      if ((static_cast<unsigned char>(text[fits]) & 0xC0) != 0x80 && ++taken > columns) break;
    }
    std::size_t end = fits;
    while (end > 0 && text[end] != ' ' && text[end - 1] != ' ' && text[end - 1] != ',') --end;
    if (end == 0) end = fits;
    std::string_view line = text.substr(0, end);
    while (line.ends_with(' ')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(end);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  if (!text.empty() || lines.empty()) lines.emplace_back(text);
  return lines;
}

std::string StateName(v2::RollState state) {
  return v2::RollState_IsValid(state) && state != v2::ROLL_STATE_UNSPECIFIED ? v2::RollState_Name(state) : "UNKNOWN";
}

std::string PresenceName(v2::Presence presence) {
  return v2::Presence_IsValid(presence) && presence != v2::PRESENCE_UNSPECIFIED ? v2::Presence_Name(presence)
                                                                                : "UNKNOWN";
}

}  // namespace baton::cli
