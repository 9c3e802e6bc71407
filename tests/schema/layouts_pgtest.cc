// The layouts side by side: what is made beside the legacy one is what a new database has.
#include "schema/layouts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/migrator/migrator.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"

namespace baton::testing {
namespace {

void Within(const std::string& url, const std::function<void(Session&)>& body) {
  const SessionError error = OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    body(s);
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
}

std::string LegacyDatabase() {
  const std::string url = FreshDatabase();
  Within(url, MakeLegacyLayout);
  return url;
}

std::string PublicSchema(const std::string& url) { return PgDump(url, {"--schema-only", "--schema=public"}); }

TEST(Layouts, ALegacyDatabaseSaysWhatItIs) {
  const std::string url = LegacyDatabase();
  EXPECT_EQ(Psql(url, "SELECT current, target, current_semver FROM versions"), "2|2|1.1.0\n");
  EXPECT_EQ(Psql(url, "SELECT version, name, length(checksum) FROM migrations"),
            "1|0001_one_definition.sql|64\n2|0002_columns_of_later_levels.sql|64\n");
}

TEST(Layouts, TheTargetShapeIsWhatANewDatabaseHas) {
  const std::string url = LegacyDatabase();
  Within(url, MakeTargetShape);
  EXPECT_EQ(PublicSchema(url), PublicSchema(MigratedDatabase()));
  EXPECT_EQ(Psql(url, "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'baton%'"), "")
      << "the scratch schema stays";
}

TEST(Layouts, SequencesAndIdentitiesOfTheTargetShapeCount) {
  const std::string url = LegacyDatabase();
  Within(url, MakeTargetShape);
  Psql(url,
       "INSERT INTO audit (at, actor, method, process_guid, request_id, outcome) "
       "SELECT now(), '', '', '', '', '' FROM generate_series(1, 2)");
  EXPECT_EQ(Psql(url, "SELECT max(sequence), nextval('incarnations') FROM audit"), "2|1\n");
}

TEST(Layouts, MakingTheTargetShapeAgainLeavesItsRows) {
  const std::string url = LegacyDatabase();
  Within(url, MakeTargetShape);
  Psql(url, "INSERT INTO domains VALUES ('d')");
  Within(url, MakeTargetShape);
  EXPECT_EQ(Psql(url, "SELECT domain FROM domains"), "d\n");
}

TEST(Layouts, ControlTablesKeepWhatTheyHold) {
  const std::string url = LegacyDatabase();
  Within(url, MakeTargetShape);
  EXPECT_EQ(Psql(url, "SELECT current FROM versions"), "2\n");
  EXPECT_EQ(Psql(url, "SELECT count(*) FROM migrations"), "2\n") << "recording them is the migrator's";
}

TEST(Layouts, BothLieInASchemaOfTheSearchPath) {
  const std::string database = FreshDatabase();
  Psql(database, "CREATE SCHEMA mine");
  const std::string url = database + " options='-c search_path=mine'";
  Within(url, MakeLegacyLayout);
  Within(url, MakeTargetShape);
  EXPECT_EQ(Psql(url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "0\n");
  EXPECT_EQ(Psql(url, "SELECT count(*) FROM mine.definitions"), "0\n");
}

TEST(Layouts, DroppingTheLegacyOneLeavesNothingOfIt) {
  const std::string url = LegacyDatabase();
  Within(url, MakeTargetShape);
  Within(url, DropLegacyShape);
  EXPECT_EQ(PgDump(url, {"--schema-only"}), PgDump(MigratedDatabase(), {"--schema-only"}));
}

TEST(Layouts, DroppingTheLegacyOneLeavesTheRecordOfAnAdoption) {
  const std::string url = LegacyDatabase();
  Psql(url, "INSERT INTO legacy.left_out VALUES ('ROW', 'desired_lrps', 'shop', '', 'why')");
  Within(url, DropLegacyShape);
  EXPECT_EQ(Psql(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'legacy' ORDER BY 1"),
            "adoption\nleft_out\n");
}

}  // namespace
}  // namespace baton::testing
