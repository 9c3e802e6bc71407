#include "tools/baton/views/words.h"

#include <cstdio>

namespace baton::cli {
namespace {

constexpr std::size_t kShortHash = 12;
constexpr std::size_t kHash = 64;

}  // namespace

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
  const bool hash =
      identifier.size() == kHash && identifier.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  return hash ? identifier.substr(0, kShortHash) : identifier;
}

std::string StateName(v2::RollState state) {
  return v2::RollState_IsValid(state) && state != v2::ROLL_STATE_UNSPECIFIED ? v2::RollState_Name(state) : "UNKNOWN";
}

std::string PresenceName(v2::Presence presence) {
  return v2::Presence_IsValid(presence) && presence != v2::PRESENCE_UNSPECIFIED ? v2::Presence_Name(presence)
                                                                                : "UNKNOWN";
}

}  // namespace baton::cli
