#include "sql/session/statements.h"

#include <sstream>

#include "embedded_sql.h"
#include "orchestrator/base/check.h"
#include "sql/keys/blob_statements.h"
#include "sql/session/column_lists.h"

namespace baton {
namespace {

struct Heading {
  std::string name;
  std::string extends;
  bool each = false;
};

bool ReadHeading(const std::string& line, Heading& heading) {
  std::istringstream words(line);
  std::string dashes;
  std::string key;
  std::string extends;
  if (!(words >> dashes >> key >> heading.name) || dashes != "--" || key != "name:") return false;
  heading.extends.clear();
  if (words >> extends) {
    heading.each = extends == "each";
    CHECK(heading.each || extends == "extends");
    if (!heading.each) CHECK(static_cast<bool>(words >> heading.extends));
  }
  return true;
}

// "-- columns: desired_lrps" begins a list, a line for each column; its name, or nothing.
std::string ReadListHeading(const std::string& line) {
  constexpr std::string_view kBegin = "-- columns: ";
  return line.starts_with(kBegin) ? line.substr(kBegin.size()) : "";
}

ColumnLists LoadLists() {
  ColumnLists lists;
  for (const auto& file : statements::Files()) {
    std::istringstream lines{std::string(file.text)};
    std::vector<ListedColumn>* list = nullptr;
    for (std::string line; std::getline(lines, line);) {
      if (const std::string table = ReadListHeading(line); !table.empty()) {
        const auto [at, fresh] = lists.emplace(table, std::vector<ListedColumn>());
        CHECK(fresh);
        list = &at->second;
      } else if (line.empty() || line.starts_with("--")) {
        list = nullptr;
      } else if (list) {
        list->push_back(ReadListedColumn(line));
      }
    }
  }
  return lists;
}

StatementTexts Load() {
  StatementTexts statements;
  StatementTexts for_each_table;
  for (const auto& file : statements::Files()) {
    std::istringstream lines{std::string(file.text)};
    std::string line;
    std::string* text = nullptr;
    while (std::getline(lines, line)) {
      Heading heading;
      if (ReadHeading(line, heading)) {
        const auto [at, fresh] = (heading.each ? for_each_table : statements).emplace(heading.name, "");
        CHECK(fresh);  // a name stands for one statement
        text = &at->second;
        if (!heading.extends.empty()) *text = statements.at(heading.extends);
      } else if (text && !line.starts_with("--")) {
        text->append(line).push_back('\n');
      }
    }
  }
  for (auto& [name, text] : statements) text = WithColumns(text, Lists(), statements);
  for (const auto& [name, text] : for_each_table) {
    for (const EncryptedTable& table : EncryptedTables()) {
      CHECK(statements.emplace(name + "." + std::string(table.table), WriteOut(text, table)).second);
    }
  }
  return statements;
}

}  // namespace

const ColumnLists& Lists() {
  static const ColumnLists kLists = LoadLists();
  return kLists;
}

const StatementTexts& Statements() {
  static const StatementTexts kStatements = Load();
  return kStatements;
}

const std::string& Statement(const std::string& name) {
  const auto at = Statements().find(name);
  CHECK(at != Statements().end());
  return at->second;
}

}  // namespace baton
