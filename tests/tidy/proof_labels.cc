#include "tests/tidy/proof_labels.h"

#include <regex>
#include <sstream>

namespace baton::tidy {
namespace {

std::set<std::string> AllOf(const std::string& text, const std::regex& name) {
  std::set<std::string> all;
  for (std::sregex_iterator match(text.begin(), text.end(), name); match != std::sregex_iterator(); ++match) {
    for (std::size_t i = 1; i < match->size(); ++i) {
      if ((*match)[i].matched) all.insert((*match)[i]);
    }
  }
  return all;
}

}  // namespace

std::set<std::string> ProofsGiven(const std::string& cmake) {
  static const std::regex kGiven(R"(baton_proof\(([a-z-]+) )");
  return AllOf(cmake, kGiven);
}

std::set<std::string> ProofsRun(const std::string& script) {
  static const std::regex kRun(R"(-L '\^prove-([a-z-]+)\$'|tests_of \w+ ([a-z-]+))");
  return AllOf(script, kRun);
}

std::vector<std::string> CheckProof(const std::string& path, const std::string& script) {
  static const std::regex kByName(R"(\s-R\s|--gtest_filter=(?!"\$names"))");
  std::vector<std::string> faults;
  std::istringstream lines(script);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!std::regex_search(line, kByName)) continue;
    faults.push_back(path + ":" + std::to_string(number) +
                     ": picks tests by name; give them a label, baton_proof in their CMakeLists.txt");
  }
  return faults;
}

}  // namespace baton::tidy
