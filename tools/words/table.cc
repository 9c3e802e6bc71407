#include "tools/words/table.h"

#include <algorithm>
#include <numeric>

#include "tools/words/text.h"

namespace baton {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 4;

std::string Cell(const std::string& text) { return text.empty() ? "-" : OneLine(text); }

std::string Padded(std::string text, std::size_t width) {
  const std::size_t taken = Width(text);
  return taken < width ? text + std::string(width - taken, ' ') : text;
}

using Widths = std::vector<std::size_t>;

std::size_t LengthOf(const Widths& widths) {
  return std::accumulate(widths.begin(), widths.end(), kGap * (widths.empty() ? 0 : widths.size() - 1));
}

// Takes from the widest column, again and again, until a line fits or no column has more than `least`.
void Shrink(Widths& widths, const Widths& least, std::size_t most) {
  while (LengthOf(widths) > most) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] > least[i] && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    }
    if (widest == widths.size()) return;
    --widths[widest];
  }
}

// What has to be copied whole is broken last.
Widths WidthsOf(const Table& table) {
  Widths widths;
  for (const auto& title : table.header) widths.push_back(Width(title));
  Widths least = widths;
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], Width(Cell(row[i])));
      if (IsUuid(row[i])) least[i] = std::max(least[i], row[i].size());
    }
  }
  if (table.columns_max == 0) return widths;
  Shrink(widths, least, table.columns_max);
  Shrink(widths, Widths(widths.size(), kNarrowest), table.columns_max);
  return widths;
}

std::string LinesOf(const std::vector<std::string>& row, const Widths& widths) {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    cells.push_back(Wrapped(Cell(row[i]), widths[i]));
    height = std::max(height, cells.back().size());
  }
  std::string text;
  for (std::size_t at = 0; at < height; ++at) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      line += Padded(at < cells[i].size() ? cells[i][at] : "", widths[i] + kGap);
    }
    while (line.ends_with(' ')) line.pop_back();
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string Render(const Table& table) {
  const Widths widths = WidthsOf(table);
  std::string text = LinesOf(table.header, widths);
  for (const auto& row : table.rows) text += LinesOf(row, widths);
  return text;
}

std::string PagedTable::Lines(const std::vector<std::vector<std::string>>& rows) {
  for (const auto& row : rows) {
    widths_.resize(std::max(widths_.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], Width(Cell(row[i])));
  }
  std::string lines;
  for (const auto& row : rows) lines += LinesOf(row, widths_);
  return lines;
}

std::string Render(const std::vector<Fact>& facts, std::size_t indent) {
  std::size_t width = 0;
  for (const Fact& fact : facts) width = std::max(width, fact.value.empty() ? 0 : Width(fact.name) + 1);
  const std::string below = "\n" + std::string(indent + width + kGap, ' ');
  std::string text;
  for (const Fact& fact : facts) {
    if (fact.value.empty()) continue;
    std::string value = Harmless(fact.value);
    while (value.ends_with('\n')) value.pop_back();
    for (std::size_t at = 0; (at = value.find('\n', at)) != std::string::npos; at += below.size()) {
      value.replace(at, 1, below);
    }
    text += std::string(indent, ' ') + Padded(fact.name + ":", width + kGap) + value + "\n";
  }
  return text;
}

}  // namespace baton
