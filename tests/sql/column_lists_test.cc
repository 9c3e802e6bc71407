// What statements make of a list of columns.
#include "sql/session/column_lists.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

const ColumnLists& Some() {
  static const ColumnLists kLists = {
      {"things",
       {ReadListedColumn("id text key"), ReadListedColumn("born timestamptz fixed"), ReadListedColumn("names text[]"),
        ReadListedColumn("blob bytea fixed large"), ReadListedColumn("size int")}},
      {"guarded", {ReadListedColumn("id text key"), ReadListedColumn("xmin xid guard"), ReadListedColumn("size int")}}};
  return kLists;
}

std::string Of(const char* text) { return WithColumns(text, Some()); }

TEST(ColumnLists, ALineIsNameTypeAndWhatIsSpecialOfIt) {
  EXPECT_EQ(ReadListedColumn("blob bytea fixed large"),
            (ListedColumn{.name = "blob", .type = "bytea", .fixed = true, .large = true}));
  EXPECT_EQ(ReadListedColumn("id text key"), (ListedColumn{.name = "id", .type = "text", .key = true}));
}

TEST(ColumnLists, AReadHasAllButWhatIsLarge) {
  EXPECT_EQ(Of("SELECT {things}, 1 FROM things"), "SELECT id, born, names, size, 1 FROM things");
  EXPECT_EQ(Of("SELECT {t.things}, t.blob"), "SELECT t.id, t.born, t.names, t.size, t.blob");
}

TEST(ColumnLists, AStatementIsASubqueryOfOthers) {
  const StatementTexts statements = {{"Inner", "SELECT 1;\n"}, {"Outer", "SELECT {statement Inner}, {t.guarded};\n"}};
  EXPECT_EQ(WithColumns("x = {statement Outer} AND y", Some(), statements), "x = (SELECT (SELECT 1), t.id, t.size) AND y");
}

TEST(ColumnLists, AnInsertTakesAnArrayForEach) {
  EXPECT_EQ(
      Of("INSERT INTO things ({columns things}) SELECT {values things} FROM {rows things}"),
      "INSERT INTO things (id, born, names, blob, size) SELECT u.id, to_timestamp(u.born / 1e6), "
      "u.names::text[], u.blob, u.size FROM "
      "unnest($1::text[], $2::bigint[], $3::text[], $4::bytea[], $5::bigint[]) AS u (id, born, names, blob, size)");
  EXPECT_EQ(Of("SET {upserts things}"),
            "SET born = EXCLUDED.born, names = EXCLUDED.names, blob = EXCLUDED.blob, size = EXCLUDED.size");
}

TEST(ColumnLists, AnUpdateTakesTheKeyAndWhatMayChange) {
  EXPECT_EQ(
      Of("UPDATE things t SET {changes things} FROM {changed_rows things} WHERE {same things}"),
      "UPDATE things t SET names = u.names::text[], size = u.size FROM unnest($1::text[], $2::text[], $3::bigint[]) "
      "AS u (id, names, "
      "size) WHERE t.id = u.id");
}

TEST(ColumnLists, AGuardIsNeitherStoredNorReadUnasked) {
  EXPECT_EQ(Of("SELECT {guarded}, xmin"), "SELECT id, size, xmin");
  EXPECT_EQ(Of("INSERT INTO guarded ({columns guarded}) SELECT {values guarded} FROM {rows guarded}"),
            "INSERT INTO guarded (id, size) SELECT u.id, u.size FROM unnest($1::text[], $2::bigint[]) AS u (id, size)");
}

TEST(ColumnLists, WhatIsGuardedIsChangedWhileItIsTheSame) {
  EXPECT_EQ(
      Of("UPDATE guarded t SET {changes guarded} FROM {changed_rows guarded} WHERE {same guarded}"),
      "UPDATE guarded t SET size = u.size FROM unnest($1::text[], $2::text[], $3::bigint[]) AS u (id, xmin, size) "
      "WHERE t.id = u.id AND t.xmin = u.xmin::xid");
  EXPECT_EQ(Of("DELETE FROM guarded t USING {same_rows guarded} WHERE {same guarded}"),
            "DELETE FROM guarded t USING unnest($1::text[], $2::text[]) AS u (id, xmin) WHERE t.id = u.id AND t.xmin = "
            "u.xmin::xid");
}

TEST(ColumnLists, WhatIsSealedIsBytes) { EXPECT_EQ(Of("SELECT {sealed things}"), "SELECT blob"); }

TEST(ColumnLists, AnEmptyArrayStays) { EXPECT_EQ(Of("$3::text[] = '{}'"), "$3::text[] = '{}'"); }

}  // namespace
}  // namespace baton
