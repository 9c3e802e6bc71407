#include "tests/tidy/named_tests.h"

#include <regex>
#include <sstream>

namespace baton::tidy {
namespace {

using Matches = std::sregex_iterator;

// What stands between the last two bars of a table's row; empty: the line is no row.
std::string LastCell(const std::string& line) {
  if (!line.starts_with("|") || !line.ends_with("|")) return {};
  const std::size_t bar = line.rfind('|', line.size() - 2);
  return bar == std::string::npos ? std::string() : line.substr(bar + 1, line.size() - bar - 2);
}

}  // namespace

std::set<std::string> TestsIn(const std::string& source) {
  static const std::regex kTest(R"(\bTEST(_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\))");
  std::set<std::string> tests;
  for (Matches match(source.begin(), source.end(), kTest); match != Matches(); ++match) {
    tests.insert((*match)[2].str() + "." + (*match)[3].str());
  }
  return tests;
}

std::vector<std::string> CheckNamedTests(const std::string& path, const std::string& page,
                                         const std::set<std::string>& tests) {
  static const std::regex kName("`([A-Z]\\w*\\.[A-Z]\\w*)`");
  std::vector<std::string> faults;
  std::istringstream in(page);
  bool wants_test = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    const std::string at = path + ":" + std::to_string(++number) + ": ";
    const std::string last = LastCell(line);
    if (last.empty()) wants_test = false;
    if (last == " test ") {
      wants_test = true;
      continue;
    }
    for (Matches match(line.begin(), line.end(), kName); match != Matches(); ++match) {
      if (!tests.contains((*match)[1])) faults.push_back(at + "there is no test " + (*match)[1].str());
    }
    const bool rule = last.find_first_not_of("-: ") == std::string::npos;
    if (wants_test && !rule && !std::regex_search(last, kName)) faults.push_back(at + "names no test");
  }
  return faults;
}

}  // namespace baton::tidy
