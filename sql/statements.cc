#include "sql/statements.h"

#include <sstream>

#include "embedded_sql.h"
#include "orchestrator/model/check.h"

namespace baton {
namespace {

struct Heading {
  std::string name;
  std::string extends;
};

bool ReadHeading(const std::string& line, Heading& heading) {
  std::istringstream words(line);
  std::string dashes;
  std::string key;
  std::string extends;
  if (!(words >> dashes >> key >> heading.name) || dashes != "--" || key != "name:") return false;
  heading.extends.clear();
  if (words >> extends) {
    CHECK(extends == "extends");
    CHECK(static_cast<bool>(words >> heading.extends));
  }
  return true;
}

std::map<std::string, std::string> Load() {
  std::map<std::string, std::string> statements;
  for (const auto& file : statements::Files()) {
    std::istringstream lines{std::string(file.text)};
    std::string line;
    std::string* text = nullptr;
    while (std::getline(lines, line)) {
      Heading heading;
      if (ReadHeading(line, heading)) {
        const auto [at, fresh] = statements.emplace(heading.name, "");
        CHECK(fresh);  // a name stands for one statement
        text = &at->second;
        if (!heading.extends.empty()) *text = statements.at(heading.extends);
      } else if (text && !line.starts_with("--")) {
        text->append(line).push_back('\n');
      }
    }
  }
  return statements;
}

}  // namespace

const std::map<std::string, std::string>& Statements() {
  static const std::map<std::string, std::string> kStatements = Load();
  return kStatements;
}

const std::string& Statement(const std::string& name) {
  const auto at = Statements().find(name);
  CHECK(at != Statements().end());
  return at->second;
}

}  // namespace baton
