#include "tests/tidy/checker.h"

#include <algorithm>
#include <regex>
#include <sstream>

#include "tests/tidy/rules.h"

namespace baton::tidy {
namespace {

using Lines = std::vector<std::string>;

std::string At(const std::string& path, std::size_t index) { return path + ":" + std::to_string(index + 1) + ": "; }

Lines Split(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool IsSource(const std::string& path) { return path.ends_with(".cc") || path.ends_with(".h"); }

const Floor* FloorOf(const std::string& path) {
  const Floor* best = nullptr;
  for (const Floor& floor : Floors()) {
    if (path.starts_with(floor.folder) && (!best || floor.folder.size() > best->folder.size())) best = &floor;
  }
  return best;
}

void CheckIncludes(const std::string& path, const Lines& lines, std::vector<std::string>& faults) {
  if (!IsSource(path) || path.starts_with("tests/")) return;
  const Floor* floor = FloorOf(path);
  if (!floor) return faults.push_back(path + ": is on no floor: give its folder a line in tests/tidy/rules.cc");
  static const std::regex kInclude("^#include \"([^\"]+/[^\"]+)\"");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch match;
    if (!std::regex_search(lines[i], match, kInclude)) continue;
    const std::string included = match[1];
    if (included.starts_with(floor->folder)) continue;
    const auto allowed = [&](const std::string& prefix) { return included.starts_with(prefix); };
    if (std::ranges::any_of(floor->may_include, allowed)) continue;
    faults.push_back(At(path, i) + floor->folder + " may not include " + included + " (includes go downward)");
  }
}

struct Compiled {
  const LineRule& rule;
  std::regex only_in;
  std::regex except;
  std::regex line;
};

const std::vector<Compiled>& CompiledRules() {
  static const std::vector<Compiled> kCompiled = [] {
    std::vector<Compiled> compiled;
    for (const LineRule& rule : LineRules()) {
      compiled.push_back({rule, std::regex(rule.only_in), std::regex(rule.except), std::regex(rule.line)});
    }
    return compiled;
  }();
  return kCompiled;
}

void CheckLines(const std::string& path, const Lines& lines, std::vector<std::string>& faults) {
  for (const auto& [rule, only_in, except, wanted] : CompiledRules()) {
    if (!rule.only_in.empty() && !std::regex_search(path, only_in)) continue;
    if (!rule.except.empty() && std::regex_search(path, except)) continue;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (std::regex_search(lines[i], wanted)) faults.push_back(At(path, i) + rule.name + " (" + rule.why + ")");
    }
  }
}

// Lines of raw string literals: tables as text, which no splitting makes shorter.
std::ptrdiff_t RawTextLines(Lines::const_iterator begin, Lines::const_iterator end) {
  std::ptrdiff_t count = 0;
  bool raw = false;
  for (auto line = begin; line != end; ++line) {
    if (raw) ++count;
    if (line->find("R\"(") != std::string::npos) raw = true;
    if (line->find(")\"") != std::string::npos) raw = false;
  }
  return count;
}

// A function is what stands between a line that ends in " {" at the depth of a namespace or class and its "}": counted
// by indentation, which clang-format keeps.
void CheckLengths(const std::string& path, const Lines& lines, std::vector<std::string>& faults) {
  if (!IsSource(path)) return;
  if (lines.size() > kFileLinesMax) {
    faults.push_back(path + ": has " + std::to_string(lines.size()) + " lines, at most " +
                     std::to_string(kFileLinesMax) + " (one noun a file)");
  }
  static const std::regex kOpens("^( {0,2})[^ :#/}].*[)a-z] \\{$");
  static const std::regex kNoFunction(
      "^ *(namespace|class|struct|union|enum|extern|const .*=|static const|constexpr)\\b");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch match;
    if (!std::regex_match(lines[i], match, kOpens) || std::regex_search(lines[i], kNoFunction)) continue;
    const std::string close = match[1].str() + "}";
    const auto end = std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(i), lines.end(),
                                  [&](const std::string& line) { return line.starts_with(close); });
    const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(i);
    const auto length = end - begin + 1 - RawTextLines(begin, end);
    if (length > kFunctionLinesMax) {
      faults.push_back(At(path, i) + "is " + std::to_string(length) + " lines long, at most " +
                       std::to_string(kFunctionLinesMax) + " (split it)");
    }
  }
}

void CheckHeader(const std::string& path, const Lines& lines, std::vector<std::string>& faults) {
  if (!path.ends_with(".h")) return;
  if (lines.empty() || !lines[0].starts_with("//"))
    faults.push_back(At(path, 0) + "a header begins by saying what it is for");
  if (std::ranges::find(lines, "#pragma once") == lines.end()) faults.push_back(At(path, 0) + "no #pragma once");
}

}  // namespace

std::vector<std::string> Check(const std::string& path, const std::string& text) {
  const Lines lines = Split(text);
  std::vector<std::string> faults;
  CheckIncludes(path, lines, faults);
  CheckLines(path, lines, faults);
  CheckLengths(path, lines, faults);
  CheckHeader(path, lines, faults);
  return faults;
}

}  // namespace baton::tidy
