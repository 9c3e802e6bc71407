// Aligned columns.
#pragma once

#include <string>
#include <vector>

namespace baton {

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  // Of a line; 0: as many as it takes, one line for each row, which is for programs and -o wide.
  std::size_t columns_max = 100;
};

// The header and each row, two spaces between columns, nothing cut: where a line would be longer than columns_most, what is
// long goes on below itself. An empty cell is "-".
std::string Render(const Table& table);

// A table that comes page by page: columns only ever grow, so that what is printed never has to wait for what follows.
// One line for each row.
class PagedTable {
 public:
  std::string Lines(const std::vector<std::vector<std::string>>& rows);

 private:
  std::vector<std::size_t> widths_;
};

// Names and values below each other, "NAME:  VALUE"; further lines of a value start under its first. A value that is
// empty is left out. `indent`: spaces before each line.
struct Fact {
  std::string name;
  std::string value;
};
std::string Render(const std::vector<Fact>& facts, std::size_t indent = 0);

}  // namespace baton
