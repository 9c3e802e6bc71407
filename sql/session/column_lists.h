// The lists of columns of sql/statements/columns.sql, and what statements make of them. In a statement's text stand for
// table T:
//   {T}, {a.T}        what is read of a row, with an alias or without: all but its large columns and the guard
//   {columns T}       all that are stored, as an INSERT names them
//   {rows T}          the rows of its parameters, an array for each column: FROM {rows T}
//   {values T}        each column of such a row, as it is stored: times come as microseconds since 1970, arrays as text
//   {sealed T}        those that are encrypted (orchestrator/crypto/encrypted_columns.h)
//   {upserts T}       DO UPDATE SET {upserts T}: all but the key
//   {changed_rows T}  as rows, of the key, the guard and the columns that may change: UPDATE T t SET {changes T}
//   FROM {changed_rows T} WHERE {same T}
//   {same_rows T}     as rows, of the key and the guard: DELETE FROM T t USING {same_rows T} WHERE {same T}
// And {statement S}: another statement, as a subquery.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace baton {

struct ListedColumn {
  std::string name;
  std::string type;
  bool key = false;
  bool fixed = false;  // an update never changes it
  bool large = false;  // read only where a statement names it
  bool guard = false;  // PostgreSQL's own: says whether the row is still the one that was read

  bool operator==(const ListedColumn&) const = default;
};

// All that are bytea, as EncryptedColumns.EachIsAnEnvelope sees.
bool IsSealed(const ListedColumn& column);
// Those of {changed_rows T}.
bool IsChanged(const ListedColumn& column);

using ColumnLists = std::map<std::string, std::vector<ListedColumn>, std::less<>>;

// A line of a list: "run_info bytea fixed large". CHECKs what else stands there.
ListedColumn ReadListedColumn(const std::string& line);

// The text of a statement, with the columns in place of what is in braces; '{}' is an empty array, and stays. CHECKs
// that each names a list, or a statement.
using StatementTexts = std::map<std::string, std::string, std::less<>>;
std::string WithColumns(std::string_view text, const ColumnLists& lists, const StatementTexts& statements = {});

}  // namespace baton
