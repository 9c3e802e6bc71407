// What stands before each line of a log: nothing, or "<3>" to "<7>", by which journald takes a line's level
// (sd-daemon(3)), so that `journalctl -p err` finds it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/ports/log.h"

namespace baton {

enum class LogPrefix { kNone, kJournald };

// Of --log-prefix; what is no such word is kNone, the command line has refused it.
LogPrefix LogPrefixOf(std::string_view word);
const std::vector<std::string>& LogPrefixes();
inline constexpr char kLogPrefixWhat[] =
    "What stands before each line of the log: none, or the level as journald reads it";

// Empty with kNone.
std::string_view PrefixOf(LogPrefix prefix, LogLevel level);

}  // namespace baton
