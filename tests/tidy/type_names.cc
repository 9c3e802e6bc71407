#include "tests/tidy/type_names.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace baton::tidy {
namespace {

using Tokens = std::vector<std::string>;

bool IsOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Where the literal ends that begins at `at` with its quotation mark.
std::size_t EndOfLiteral(const std::string& source, std::size_t at) {
  const char mark = source[at];
  for (++at; at < source.size() && source[at] != mark; ++at) {
    if (source[at] == '\\') ++at;
  }
  return at + 1;
}

std::size_t EndOfRawLiteral(const std::string& source, std::size_t at) {
  const std::size_t open = source.find('(', at);
  const std::string close = ")" + source.substr(at + 1, open - at - 1) + "\"";
  const std::size_t end = source.find(close, open);
  return end == std::string::npos ? source.size() : end + close.size();
}

// What says nothing here and begins at `at`: comments, literals, a line of the preprocessor. `at` itself: nothing does.
std::size_t EndOfSilent(const std::string& source, std::size_t at) {
  const std::size_t before = at == 0 ? std::string::npos : source.find_last_not_of(" \t", at - 1);
  const bool line_begins = before == std::string::npos || source[before] == '\n';
  if (source.compare(at, 2, "//") == 0 || (line_begins && source[at] == '#')) {
    std::size_t end = source.find('\n', at);
    while (end != std::string::npos && source[end - 1] == '\\') end = source.find('\n', end + 1);
    return std::min(end, source.size());
  }
  if (source.compare(at, 2, "/*") == 0) return std::min(source.find("*/", at), source.size() - 2) + 2;
  if (source[at] == '"')
    return at > 0 && source[at - 1] == 'R' ? EndOfRawLiteral(source, at) : EndOfLiteral(source, at);
  const bool of_number = at > 0 && std::isxdigit(static_cast<unsigned char>(source[at - 1]));
  return source[at] == '\'' && !of_number ? EndOfLiteral(source, at) : at;
}

Tokens TokensOf(const std::string& source) {
  Tokens tokens;
  for (std::size_t at = 0; at < source.size();) {
    if (const std::size_t end = EndOfSilent(source, at); end != at) {
      at = end;
    } else if (IsOfWord(source[at])) {
      const auto begin = source.begin() + static_cast<std::ptrdiff_t>(at);
      tokens.emplace_back(begin, std::find_if_not(begin, source.end(), IsOfWord));
      at += tokens.back().size();
    } else if (source.compare(at, 2, "::") == 0) {
      tokens.emplace_back("::");
      at += 2;
    } else {
      if (!std::isspace(static_cast<unsigned char>(source[at]))) tokens.emplace_back(1, source[at]);
      ++at;
    }
  }
  tokens.insert(tokens.end(), 4, "");  // looked at from the last one
  return tokens;
}

bool IsWord(const std::string& token) { return !token.empty() && IsOfWord(token[0]); }

// The type that is defined where `at` is "class", "struct", "union" or "enum"; empty: something else is meant.
std::string TypeAt(const Tokens& tokens, std::size_t at) {
  ++at;
  if (tokens[at] == "class" || tokens[at] == "struct") ++at;
  while (tokens[at] == "[" || tokens[at] == "]" || tokens[at] == "nodiscard") ++at;
  const std::string& name = tokens[at];
  const std::string& next = tokens[at + 1];
  if (!IsWord(name) || (next != "{" && next != ":" && next != "final")) return {};
  const auto body = std::find_if(tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens.end(),
                                 [](const std::string& token) { return token == "{" || token == ";"; });
  return body != tokens.end() && *body == "{" ? name : std::string();
}

// A block that is open: a namespace's name with "::" behind it, or something that hides what is in it.
constexpr char kHides[] = "";

bool IsKey(const std::string& token) {
  return token == "class" || token == "struct" || token == "union" || token == "enum";
}

struct Program {
  std::string folder;
  std::string space;
};

const std::vector<Program>& NamespacesOfPrograms() {
  static const std::vector<Program> kPrograms = {
      {"tools/adopt/", "baton::adopt"},      {"tools/baton/", "baton::cli"},
      {"tools/batond/", "baton::batond"},    {"tools/cell/", "baton::cell"},
      {"tools/demo/", "baton::demo"},        {"tools/definitions/", "baton::definitions"},
      {"tools/law/", "baton::law"},          {"tools/load/", "baton::load"},
      {"tools/router/", "baton::router"},    {"tools/shim/", "baton::shim"},
      {"tools/stack/", "baton::stack"},      {"tests/bench/", "baton::bench"},
      {"examples/hello/", "baton::examples"}};
  return kPrograms;
}

}  // namespace

std::vector<std::string> TypesIn(const std::string& source) {
  const Tokens tokens = TokensOf(source);
  std::vector<std::string> types, open;
  for (std::size_t i = 0; i + 4 < tokens.size(); ++i) {
    if (tokens[i] == "namespace") {
      std::string name;
      while (IsWord(tokens[i + 1]) || tokens[i + 1] == "::") name += tokens[++i];
      if (tokens[i + 1] != "{") continue;  // an alias, or "using namespace"
      ++i;
      open.push_back(name.empty() ? kHides : name + "::");
    } else if (tokens[i] == "{") {
      open.emplace_back(kHides);
    } else if (tokens[i] == "}") {
      if (!open.empty()) open.pop_back();
    } else if (IsKey(tokens[i]) && std::ranges::find(open, kHides) == open.end()) {
      const std::string name = TypeAt(tokens, i);
      if (tokens[i] == "enum" && IsKey(tokens[i + 1])) ++i;
      if (name.empty()) continue;
      std::string type;
      for (const std::string& space : open) type += space;
      types.push_back(type + name);
    }
  }
  return types;
}

std::vector<std::string> CheckTypeNames(const std::map<std::string, std::string>& sources) {
  std::map<std::string, std::string> first;  // path by type
  std::vector<std::string> faults;
  for (const auto& [path, text] : sources) {
    for (const std::string& type : TypesIn(text)) {
      const auto [known, is_new] = first.emplace(type, path);
      if (!is_new) faults.push_back(type + ": is in " + known->second + " and in " + path + " (one name, one type)");
    }
  }
  return faults;
}

std::vector<std::string> CheckProgramNamespace(const std::string& path, const std::string& text) {
  const auto program =
      std::ranges::find_if(NamespacesOfPrograms(), [&](const Program& p) { return path.starts_with(p.folder); });
  std::vector<std::string> faults;
  if (program == NamespacesOfPrograms().end()) return faults;
  std::istringstream in(text);
  int number = 0;
  // The comment behind a namespace's end; a block that only announces another's class has none.
  static const std::string kEnd = "}  // namespace baton";
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (!line.starts_with(kEnd) || line.starts_with("}  // namespace " + program->space)) continue;
    faults.push_back(path + ":" + std::to_string(number) + ": names of " + program->folder + " are in " +
                     program->space);
  }
  return faults;
}

}  // namespace baton::tidy
