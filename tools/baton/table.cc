#include "tools/baton/table.h"

#include <algorithm>

#include "tools/baton/words.h"

namespace baton::cli {
namespace {

constexpr std::size_t kGap = 2;

std::string Cell(const std::string& text) { return text.empty() ? "-" : OneLine(text); }

std::string Padded(std::string text, std::size_t width) {
  const std::size_t taken = Width(text);
  return taken < width ? text + std::string(width - taken, ' ') : text;
}

std::string Line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool last = i + 1 == cells.size();
    line += last ? Cell(cells[i]) : Padded(Cell(cells[i]), widths[i] + kGap);
  }
  return line + "\n";
}

}  // namespace

std::string Render(const Table& table) {
  std::vector<std::size_t> widths;
  for (const auto& title : table.header) widths.push_back(Width(title));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], Width(Cell(row[i])));
  }
  std::string text = Line(table.header, widths);
  for (const auto& row : table.rows) text += Line(row, widths);
  return text;
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

}  // namespace baton::cli
