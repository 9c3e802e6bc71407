// PostgreSQL's own programs, for looking at a database from outside.
#pragma once

#include <string>
#include <vector>

namespace baton::testing {

// One of them by its name, and what it says; a test that it fails in has failed.
std::string PgProgram(std::vector<std::string> command);
// pg_dump's text without what differs between its versions and between two calls: comments, settings, blank lines.
std::string PgDump(const std::string& url, const std::vector<std::string>& options);
std::string Normalised(const std::string& dump);
// Rows as lines, columns separated by '|'.
std::string Psql(const std::string& url, const std::string& query);

}  // namespace baton::testing
