#include "tests/tidy/named_paths.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace baton::tidy {
namespace {

using Matches = std::sregex_iterator;

// a/{b,c}/d is a/b/d and a/c/d.
std::vector<std::string> WithoutBraces(const std::string& word) {
  const std::size_t open = word.find('{');
  const std::size_t close = word.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return {word};
  std::vector<std::string> words;
  std::istringstream choices(word.substr(open + 1, close - open - 1));
  for (std::string choice; std::getline(choices, choice, ',');) {
    for (std::string& one : WithoutBraces(word.substr(0, open) + choice + word.substr(close + 1))) {
      words.push_back(std::move(one));
    }
  }
  return words;
}

// `*` is any part of one name; what it names may be a folder, known by what is in it.
bool IsThere(std::string word, const std::set<std::string>& files) {
  while (word.ends_with('/') || word.ends_with('.') || word.ends_with(',')) word.pop_back();
  if (word.find('*') == std::string::npos) {
    const auto folder = files.lower_bound(word + "/");
    return files.contains(word) || (folder != files.end() && folder->starts_with(word + "/"));
  }
  std::string pattern;
  for (const char c : word) pattern += c == '*' ? "[^/]*" : c == '.' ? "\\." : std::string(1, c);
  const std::regex wanted(pattern + "(/.*)?");
  return std::ranges::any_of(files, [&](const std::string& file) { return std::regex_match(file, wanted); });
}

bool IsSomebodysName(const std::string& word, const std::set<std::string>& files) {
  return std::ranges::any_of(files,
                             [&](const std::string& file) { return file == word || file.ends_with("/" + word); });
}

// NAME, NNNN, PROGRAM: to be filled in by the reader.
bool StandsForAny(const std::string& word) {
  static const std::regex kCapitals("(^|[/_.])[A-Z]{3,}($|[/_.])");
  return std::regex_search(word, kCapitals);
}

}  // namespace

std::vector<std::string> CheckNamedPaths(const std::string& path, const std::string& page,
                                         const std::set<std::string>& files) {
  static const std::regex kPath(
      R"((^|[^\w/.:@$-])((cmake|convergence|deploy|docs|examples|orchestrator|proto|schema|sql|tests|tools)/[\w./*{},-]+))");
  static const std::regex kSource(R"(`([\w/]+\.(cc|h|sql|proto|py|sh))`)");
  std::vector<std::string> faults;
  std::istringstream in(page);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    const std::string at = path + ":" + std::to_string(++number) + ": there is no ";
    for (Matches match(line.begin(), line.end(), kPath); match != Matches(); ++match) {
      for (const std::string& word : WithoutBraces((*match)[2])) {
        if (!IsThere(word, files) && !StandsForAny(word)) faults.push_back(at + word);
      }
    }
    for (Matches match(line.begin(), line.end(), kSource); match != Matches(); ++match) {
      const std::string word = (*match)[1];
      if (word.find('/') == std::string::npos && !IsSomebodysName(word, files)) faults.push_back(at + word);
    }
  }
  return faults;
}

}  // namespace baton::tidy
