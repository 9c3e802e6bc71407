#include "tools/command_line/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace baton {
namespace {

constexpr std::size_t kChangesMax = 2;

// How many letters have to be put in, taken out or replaced (Levenshtein).
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string> Nearest(std::string_view word, const std::vector<std::string>& known) {
  const auto nearest = std::ranges::min_element(known, {}, [word](const auto& one) { return Distance(word, one); });
  if (nearest == known.end() || word.size() <= kChangesMax || Distance(word, *nearest) > kChangesMax)
    return std::nullopt;
  return *nearest;
}

}  // namespace baton
