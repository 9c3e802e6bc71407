#include "tools/logging/log_prefix.h"

namespace baton {

LogPrefix LogPrefixOf(std::string_view word) { return word == "journald" ? LogPrefix::kJournald : LogPrefix::kNone; }

const std::vector<std::string>& LogPrefixes() {
  static const std::vector<std::string> kWords{"none", "journald"};
  return kWords;
}

std::string_view PrefixOf(LogPrefix prefix, LogLevel level) {
  if (prefix == LogPrefix::kNone) return "";
  switch (level) {
    case LogLevel::kDebug: return "<7>";
    case LogLevel::kInfo: return "<6>";
    case LogLevel::kWarn: return "<4>";
    case LogLevel::kError: return "<3>";
  }
  return "<3>";
}

}  // namespace baton
