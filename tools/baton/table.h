// Aligned columns.
#pragma once

#include <string>
#include <vector>

namespace baton::cli {

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

// A line for the header and each row, two spaces between columns, nothing cut. An empty cell is "-".
std::string Render(const Table& table);

// Names and values below each other, "NAME:  VALUE"; further lines of a value start under its first. A value that is
// empty is left out. `indent`: spaces before each line.
struct Fact {
  std::string name;
  std::string value;
};
std::string Render(const std::vector<Fact>& facts, std::size_t indent = 0);

}  // namespace baton::cli
