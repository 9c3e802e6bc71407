// A man page out of a command line as CLI11 describes it, in roff.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace baton::manual {

// What CLI11 does not know.
struct ManFacts {
  std::string name;
  int section = 1;
  std::vector<std::pair<int, std::string>> exits;          // exit statuses
  std::vector<std::pair<std::string, std::string>> files;  // paths, and what they are
  std::vector<std::string> see_also;                       // "batond(8)"
};

std::string ManPage(const CLI::App& app, const ManFacts& facts, const std::string& version);

}  // namespace baton::manual
