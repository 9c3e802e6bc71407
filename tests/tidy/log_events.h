// Names of log events: one style, and each has its row in docs/reference/log-events.md. Those of calls need none: they
// are the method's.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace baton::tidy {

// The names that this source gives to a log, where they stand as text: `log_.Warn("cell_lost", ...)`.
std::set<std::string> LogEventsIn(const std::string& source);

// A call that is logged by another name than its method's, each as a sentence: `{"pause_roll", "Rolls/PauseRoll"}` is
// right.
std::vector<std::string> CheckCallNames(const std::string& source);

// The names in a page's tables: each row begins with one or several, "| `cell_lost` |".
std::set<std::string> LogEventsOf(const std::string& page);

// Each fault as a sentence: a name that is no snake_case, has no row, or has a row and is nowhere in the sources.
std::vector<std::string> CheckLogEvents(const std::set<std::string>& used, const std::set<std::string>& told);

}  // namespace baton::tidy
