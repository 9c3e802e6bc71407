// Every column that can hold somebody's text is encrypted, or is in the clear for a reason: the schema itself is walked, so
// that a new column has to be decided on.
#include "orchestrator/crypto/encrypted_columns.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"

namespace baton::testing {
namespace {

std::set<std::string> Lines(const std::string& text) {
  std::istringstream lines(text);
  std::set<std::string> all;
  for (std::string line; std::getline(lines, line);) all.insert(line);
  return all;
}

std::string Named(std::string_view table, std::string_view column) {
  return std::string(table) + "." + std::string(column);
}

std::set<std::string> Encrypted() {
  std::set<std::string> named;
  for (const EncryptedTable& table : EncryptedTables()) {
    for (const std::string_view column : table.columns) named.insert(Named(table.table, column));
  }
  return named;
}

TEST(EncryptedColumns, EveryColumnThatCanHoldTextIsOnOneOfTheLists) {
  const std::string url = MigratedDatabase();
  std::set<std::string> decided = Encrypted();
  for (const ClearColumns& columns : ColumnsInTheClear()) {
    EXPECT_FALSE(columns.why.empty()) << columns.table;
    for (const std::string_view column : columns.columns) {
      EXPECT_TRUE(decided.insert(Named(columns.table, column)).second)
          << Named(columns.table, column) << " is on the lists twice";
    }
  }
  // All but what holds a number, a time or a yes: also types that are not here yet.
  const std::string query =
      "SELECT table_name || '.' || column_name FROM information_schema.columns JOIN information_schema.tables "
      "USING (table_schema, table_name) WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND udt_name NOT IN "
      "('int2', 'int4', 'int8', '_int8', 'bool', 'timestamptz')";
  EXPECT_EQ(Lines(Psql(url, query)), decided);
}

TEST(EncryptedColumns, EachIsAnEnvelope) {
  const std::string url = MigratedDatabase();
  const std::string query =
      "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public' AND "
      "data_type = 'bytea' AND column_name <> 'check_value'";
  EXPECT_EQ(Lines(Psql(url, query)), Encrypted());
}

// Pages go by the primary key, in its order; what a blob is bound to are columns of its row.
TEST(EncryptedColumns, TheirKeysAreThePrimaryKeys) {
  const std::string url = MigratedDatabase();
  for (const EncryptedTable& table : EncryptedTables()) {
    std::string keys, bound;
    for (const auto& key : table.key) keys += std::string(key.name) + (key.number ? "|bigint\n" : "|text\n");
    EXPECT_EQ(Psql(url, "SELECT attname, format_type(atttypid, NULL) FROM pg_index i JOIN pg_attribute a ON a.attrelid = "
                        "i.indrelid AND a.attnum = ANY (i.indkey) WHERE indisprimary AND indrelid = '" +
                            std::string(table.table) + "'::regclass ORDER BY array_position(i.indkey, a.attnum)"),
              keys)
        << table.table;
    EXPECT_FALSE(table.why.empty());
  }
}

}  // namespace
}  // namespace baton::testing
