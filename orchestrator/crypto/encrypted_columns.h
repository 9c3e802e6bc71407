// Which columns are encrypted: the one list. Statements are written out from it (sql/statements/rotation.sql), rotation
// and its counts go through it, and a test walks the schema and demands that every column that can hold text is here or
// among those that are left in the clear, with a reason.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace baton {

struct EncryptedTable {
  struct KeyColumn {
    std::string_view name;
    bool number = false;  // bigint; else text
  };
  std::string_view table;
  std::vector<KeyColumn> key;  // the primary key: orders the rows
  // What a row's blobs are bound to, joined by '/'; empty: the primary key.
  std::vector<std::string_view> bound;
  std::vector<std::string_view> columns;
  std::string_view why;
};

std::span<const EncryptedTable> EncryptedTables();

struct ClearColumns {
  std::string_view table;
  std::vector<std::string_view> columns;
  std::string_view why;
};

std::span<const ClearColumns> ColumnsInTheClear();

}  // namespace baton
