#include "tests/tidy/class_files.h"

#include <cctype>
#include <sstream>

namespace baton::tidy {
namespace {

bool InWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Where the word begins that ends before `end`.
std::size_t WordBefore(const std::string& text, std::size_t end) {
  while (end > 0 && InWord(text[end - 1])) --end;
  return end;
}

// The outermost class of what is defined where the parenthesis at `open` begins its parameters; empty: of none.
std::string ClassBefore(const std::string& line, std::size_t open) {
  std::size_t at = WordBefore(line, open);
  if (at == open) return {};
  if (at > 0 && line[at - 1] == '~') --at;
  std::string found;
  while (at >= 2 && line.compare(at - 2, 2, "::") == 0) {
    const std::size_t begin = WordBefore(line, at - 2);
    if (begin == at - 2 || !std::isupper(static_cast<unsigned char>(line[begin])))
      break;  // a template's, or a namespace
    found = line.substr(begin, at - 2 - begin);
    at = begin;
  }
  return found;
}

std::string ClassOf(const std::string& line) {
  if (line.empty() || std::string(" #/}").find(line[0]) != std::string::npos) return {};
  const std::size_t end = line.find_first_of("={\"");
  for (std::size_t open = line.find('('); open != std::string::npos && open < end; open = line.find('(', open + 1)) {
    if (std::string found = ClassBefore(line, open); !found.empty()) return found;
  }
  return {};
}

}  // namespace

std::set<std::string> ClassesDefinedIn(const std::string& source) {
  std::set<std::string> classes;
  std::string space;
  std::istringstream in(source);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("namespace ") && line.ends_with(" {") && line != "namespace {") {
      space = line.substr(10, line.size() - 12) + "::";
    } else if (const std::string found = ClassOf(line); !found.empty() &&
                                                        source.find("class " + found + " ") == std::string::npos &&
                                                        source.find("struct " + found + " ") == std::string::npos) {
      classes.insert(space + found);
    }
  }
  return classes;
}

std::vector<std::string> CheckClassFiles(const std::map<std::string, std::string>& sources,
                                         const std::set<std::string>& known) {
  std::map<std::string, std::vector<std::string>> paths;  // by class
  for (const auto& [path, text] : sources) {
    for (const std::string& one : ClassesDefinedIn(text)) paths[one].push_back(path);
  }
  std::vector<std::string> faults;
  for (const auto& [one, where] : paths) {
    if (where.size() == 1 || known.contains(one)) continue;
    std::string fault = one + ": is in ";
    for (const std::string& path : where) fault += (path == where.front() ? "" : " and in ") + path;
    faults.push_back(fault + " (one class, one .cc: name the second noun)");
  }
  for (const std::string& one : known) {
    if (!paths.contains(one) || paths[one].size() == 1)
      faults.push_back(one + ": is in one .cc by now, take it from the known ones");
  }
  return faults;
}

}  // namespace baton::tidy
