#include "tools/definitions/table.h"

#include <algorithm>

namespace baton {
namespace {

// What would break a table or drive a terminal: control bytes.
std::string OneCell(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = ' ';
  }
  return text.empty() ? "-" : text;
}

}  // namespace

std::string TextTable::Lines(const std::vector<std::vector<std::string>>& rows) {
  for (const auto& row : rows) {
    widths_.resize(std::max(widths_.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], row[i].size());
  }
  std::string lines;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string cell = OneCell(row[i]);
      line += cell + std::string(widths_[i] + 2 - cell.size(), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines += line + "\n";
  }
  return lines;
}

}  // namespace baton
