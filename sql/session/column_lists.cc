#include "sql/session/column_lists.h"

#include <functional>
#include <sstream>

#include "orchestrator/base/check.h"

namespace baton {
namespace {

using Columns = std::vector<ListedColumn>;

template <class Part>
std::string Joined(const Columns& columns, std::string_view separator, Part&& part) {
  std::string text;
  for (const ListedColumn& column : columns) {
    if (!text.empty()) text += separator;
    text += part(column);
  }
  return text;
}

Columns Where(const Columns& columns, const std::function<bool(const ListedColumn&)>& is) {
  Columns some;
  for (const ListedColumn& column : columns) {
    if (is(column)) some.push_back(column);
  }
  return some;
}

std::string Names(const Columns& columns) {
  return Joined(columns, ", ", [](const ListedColumn& c) { return c.name; });
}

// In an array of arrays all rows would have as many elements.
bool IsArray(const ListedColumn& column) { return column.type.ends_with("[]"); }

std::string TypeOfParameter(const ListedColumn& column) {
  if (column.type == "timestamptz" || column.type == "int") return "bigint";  // as BinaryArray has numbers
  return IsArray(column) || column.guard ? "text" : column.type;
}

std::string Value(const ListedColumn& column) {
  const std::string given = "u." + column.name;
  if (column.type == "timestamptz") return "to_timestamp(" + given + " / 1e6)";
  return IsArray(column) ? given + "::" + column.type : given;
}

std::string Unnested(const Columns& columns) {
  int number = 0;
  return "unnest(" +
         Joined(
             columns, ", ",
             [&](const ListedColumn& c) { return "$" + std::to_string(++number) + "::" + TypeOfParameter(c) + "[]"; }) +
         ") AS u (" + Names(columns) + ")";
}

bool IsStored(const ListedColumn& column) { return !column.guard; }
bool NoKey(const ListedColumn& column) { return !column.key; }
bool MayChange(const ListedColumn& column) { return !column.key && !column.fixed && !column.guard; }
bool IsSame(const ListedColumn& column) { return column.key || column.guard; }

std::string Same(const ListedColumn& column) {
  return "t." + column.name + " = u." + column.name + (column.guard ? "::" + column.type : "");
}

std::string Written(const std::string& what, const Columns& listed) {
  if (what == "changed_rows") return Unnested(Where(listed, IsChanged));
  if (what == "same_rows") return Unnested(Where(listed, IsSame));
  if (what == "same") return Joined(Where(listed, IsSame), " AND ", Same);
  const Columns all = Where(listed, IsStored);
  if (what == "columns") return Names(all);
  if (what == "rows") return Unnested(all);
  if (what == "values") return Joined(all, ", ", Value);
  if (what == "sealed") return Names(Where(all, IsSealed));
  if (what == "upserts")
    return Joined(Where(all, NoKey), ", ", [](const auto& c) { return c.name + " = EXCLUDED." + c.name; });
  CHECK(what == "changes");
  return Joined(Where(all, MayChange), ", ", [](const auto& c) { return c.name + " = " + Value(c); });
}

std::string Read(std::string_view alias, const Columns& all) {
  const Columns columns = Where(all, [](const auto& c) { return !c.large && !c.guard; });
  return Joined(columns, ", ", [&](const auto& c) { return std::string(alias) + c.name; });
}

const Columns& ListOf(std::string_view table, const ColumnLists& lists) {
  const auto list = lists.find(table);
  CHECK(list != lists.end());
  return list->second;
}

std::string Subquery(std::string_view name, const ColumnLists& lists, const StatementTexts& statements) {
  const auto at = statements.find(name);
  CHECK(at != statements.end());
  const std::string text = WithColumns(at->second, lists, statements);
  return "(" + text.substr(0, text.rfind(';')) + ")";
}

std::string Columned(std::string_view words, const ColumnLists& lists, const StatementTexts& statements) {
  constexpr std::string_view kStatement = "statement ";
  if (words.starts_with(kStatement)) return Subquery(words.substr(kStatement.size()), lists, statements);
  if (const std::size_t space = words.find(' '); space != words.npos) {
    return Written(std::string(words.substr(0, space)), ListOf(words.substr(space + 1), lists));
  }
  const std::size_t table = words.find('.') + 1;  // of none: the first character
  return Read(words.substr(0, table), ListOf(words.substr(table), lists));
}

}  // namespace

bool IsSealed(const ListedColumn& column) { return column.type == "bytea"; }
bool IsChanged(const ListedColumn& column) { return !column.fixed; }

ListedColumn ReadListedColumn(const std::string& line) {
  std::istringstream words(line);
  ListedColumn column;
  CHECK(static_cast<bool>(words >> column.name >> column.type));
  for (std::string word; words >> word;) {
    CHECK(word == "key" || word == "fixed" || word == "large" || word == "guard");
    (word == "key"     ? column.key
     : word == "fixed" ? column.fixed
     : word == "large" ? column.large
                       : column.guard) = true;
  }
  return column;
}

std::string WithColumns(std::string_view text, const ColumnLists& lists, const StatementTexts& statements) {
  std::string written;
  for (;;) {
    const std::size_t open = text.find('{');
    written += text.substr(0, open);
    if (open == text.npos) return written;
    const std::size_t close = text.find('}', open);
    CHECK(close != text.npos);
    const std::string_view words = text.substr(open + 1, close - open - 1);
    written += words.empty() ? "{}" : Columned(words, lists, statements);
    text.remove_prefix(close + 1);
  }
}

}  // namespace baton
