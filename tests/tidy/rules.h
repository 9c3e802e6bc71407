// The rules of the house as tables.
#pragma once

#include <string>
#include <vector>

namespace baton::tidy {

// The top-level folders, each on those before it: proto (its messages are baton/) < orchestrator < convergence < sql <
// schema < tools.
const std::vector<std::string>& Storeys();

// What the files of a folder may include of this repository: paths that begin with one of these. The longest folder
// that fits a file counts.
struct Floor {
  std::string folder;
  std::vector<std::string> may_include;
};
const std::vector<Floor>& Floors();

// A line that a file must not have. `only_in` and `except` are regular expressions over the file's path; an empty
// `except` fits nothing.
struct LineRule {
  std::string name;
  std::string only_in;
  std::string except;
  std::string line;  // regular expression, searched
  std::string why;
};
const std::vector<LineRule>& LineRules();

inline constexpr int kFileLinesMax = 400;
inline constexpr int kFunctionLinesMax = 70;

}  // namespace baton::tidy
