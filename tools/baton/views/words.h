// Times, names and free text as the tables show them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "baton/v2/roll.pb.h"

namespace baton::cli {

// "850ms", "42s", "3m12s", "5h3m", "12d4h": the two greatest units. Negative, as from clocks that differ: "0s".
std::string HumanDuration(std::int64_t ms);

// From `since` to `now`, both nanoseconds since 1970; "-" where since is 0.
std::string Age(std::int64_t since, std::int64_t now);

// "2026-11-20 17:03:09 UTC"; "-" for 0.
std::string HumanTime(std::int64_t nanos);

// "512MiB", "2GiB", "1.5GiB"; 0: "-".
std::string HumanMebibytes(std::int64_t mb);

// A content hash by its first 12 characters; a given name as it is, for people chose it to be read.
std::string ShortDefinition(const std::string& identifier);

// One line that does nothing to a terminal: line ends become " / ", other control characters '?'.
std::string OneLine(std::string_view text);
// The same for several lines, which stay lines.
std::string Harmless(std::string_view text);

// True for 8-4-4-4-12 hex digits.
bool IsUuid(std::string_view text);

// Columns that it takes on a terminal, one for each character.
std::size_t Width(std::string_view text);

// Lines of at most so many columns, ended after a space or a comma where there is one, else within a word. At least one.
std::vector<std::string> Wrapped(std::string_view text, std::size_t columns);

// "ROLLING", "COMPLETED" ...; "UNKNOWN" for what this version does not know.
std::string StateName(v2::RollState state);

// "ORDINARY", "SURGE" ...
std::string PresenceName(v2::Presence presence);

}  // namespace baton::cli
