// All that a database holds, to be held against another's.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tests/schema/pg_tools.h"

namespace baton::testing {

// Rows come in the order of their last change, and a column that was added anew comes last.
inline std::string Sorted(const std::string& dump) {
  std::istringstream in(dump);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("SELECT pg_catalog.setval(")) continue;  // PostgreSQL skips some numbers when it dies
    if (line.ends_with(',')) line.pop_back();
    lines.push_back(line);
  }
  std::ranges::sort(lines);
  std::string sorted;
  for (const std::string& line : lines) sorted += line + "\n";
  return sorted;
}

// Nothing where the table is not there yet: a migration has hardly begun.
inline std::string Ask(const std::string& url, const std::string& table, const std::string& query) {
  const bool there = Psql(url, "SELECT to_regclass('" + table + "') IS NOT NULL") == "t\n";
  return there ? Psql(url, query) : "no " + table + "\n";
}

// All but times of the migration itself, and the store's name.
inline std::string Content(const std::string& url) {
  return Sorted(PgDump(url, {"--exclude-table-data=migration_steps", "--exclude-table-data=store",
                      "--exclude-table-data=migrations"})) +
         Ask(url, "migrations", "SELECT version, name, checksum FROM migrations ORDER BY 1") +
         Ask(url, "store", "SELECT rollback_from, rollback_done FROM store") +
         Ask(url, "migration_steps",
             "SELECT version, kind, name, done FROM migration_steps WHERE kind <> 'copy' ORDER BY 1, 2, 3");
}

}  // namespace baton::testing
