// Suggests the known word nearest to a mistyped one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton {

// The known word that two changes of a letter at most make of `word`, the first of the nearest; nothing: none is as near, or
// `word` is so short that most would be.
std::optional<std::string> Nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace baton
