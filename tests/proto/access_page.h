// Who may call what, as docs/generated/access.md says it: what people read is what a batond is asked for. Another role
// of a method is seen there as a changed line, whoever changed the option.
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace baton {

// By path, the roles' letters. V viewer, O operator, A admin, C controller, N cell, R router, U auctioneer, B batond.
// After '+': let in only through baton.v1. '!' at the end: it can show secrets.
using AccessRows = std::map<std::string, std::string>;

// The cells of a line of a table.
inline std::vector<std::string> CellsOf(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) {
    const std::size_t from = cell.find_first_not_of(' ');
    cells.push_back(from == std::string::npos ? "" : cell.substr(from, cell.find_last_not_of(' ') - from + 1));
  }
  return cells;
}

inline AccessRows AccessRowsOf(std::istream& page) {
  static const std::map<std::string, char> kLetters = {{"viewer", 'V'},     {"operator", 'O'}, {"admin", 'A'},
                                                       {"controller", 'C'}, {"cell", 'N'},     {"router", 'R'},
                                                       {"auctioneer", 'U'}, {"batond", 'B'}};
  AccessRows rows;
  std::vector<std::string> heads;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| call |")) heads = CellsOf(line);
    if (!line.starts_with("| `")) continue;
    const std::vector<std::string> cells = CellsOf(line);
    std::string roles, within, secrets;
    for (std::size_t i = 0; i < cells.size() && i < heads.size(); ++i) {
      const auto letter = kLetters.find(heads[i]);
      if (letter == kLetters.end() || cells[i].empty()) continue;
      (cells[i] == "v1" ? within : roles) += letter->second;
      if (cells[i] == "yes, secrets") secrets = "!";
    }
    std::string path = "/baton." + cells[0].substr(1, cells[0].size() - 2);  // `v2.Admin.Ping`
    path[path.rfind('.')] = '/';
    rows[path] = roles + (within.empty() ? "" : "+" + within) + secrets;
  }
  return rows;
}

inline const AccessRows& AccessTable() {
  static const AccessRows kTable = [] {
    std::ifstream page(BATON_ACCESS_PAGE);
    return AccessRowsOf(page);
  }();
  return kTable;
}

}  // namespace baton
