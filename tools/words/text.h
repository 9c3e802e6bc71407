// Free text as a terminal may be shown it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace baton {

// One line that does nothing to a terminal: line ends become " / ", other control characters '?'.
std::string OneLine(std::string_view text);
// The same for several lines, which stay lines.
std::string Harmless(std::string_view text);

// True for 8-4-4-4-12 hex digits.
bool IsUuid(std::string_view text);

// Columns that it takes on a terminal, one for each character.
std::size_t Width(std::string_view text);

// Lines of at most so many columns, ended after a space or a comma where there is one, else within a word. At least
// one.
std::vector<std::string> Wrapped(std::string_view text, std::size_t columns);

}  // namespace baton
