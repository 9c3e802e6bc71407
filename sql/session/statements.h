// The statements of sql/statements/*.sql, embedded at build time, by name.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sql/session/column_lists.h"

namespace baton {

// Name -> text. `-- name: X` begins a statement, `-- name: X extends Y` one that continues Y's text, `-- name: X each`
// one for every table with encrypted columns: X.table (sql/keys/blob_statements.h). Words in braces are written out by
// sql/session/column_lists.h.
const StatementTexts& Statements();
const std::string& Statement(const std::string& name);

// The lists of columns.sql, by table.
const ColumnLists& Lists();

}  // namespace baton
