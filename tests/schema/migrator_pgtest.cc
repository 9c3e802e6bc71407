#include "schema/migrator/migrator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "orchestrator/model/version.h"
#include "schema/migrator/shipped.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"

namespace baton::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

void Script(const std::string& url, const std::string& sql) {
  const SessionError error = OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript(sql);
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
}

// Refused with such a sentence, and nothing was changed.
void ExpectRefused(const std::string& url, const ::testing::Matcher<std::string>& sentence) {
  const std::string before = PgDump(url, {});
  const Status status = Migrate(*OpenSession(url));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kFailedPrecondition);
  EXPECT_THAT(status.error().message, sentence);
  EXPECT_EQ(PgDump(url, {}), before);
}

TEST(Migrator, MakesAnEmptyDatabaseOurs) {
  const std::string url = FreshDatabase();
  ASSERT_TRUE(Migrate(*OpenSession(url)).ok());
  EXPECT_EQ(Psql(url, "SELECT current, target, current_semver FROM versions"), std::to_string(kSchemaMigration) + "|" + std::to_string(kSchemaMigration) + "|" + kSchemaSemver + "\n");
  std::string shipped;
  for (const Migration& m : ShippedMigrations())
    shipped += std::to_string(m.version) + "|" + m.file + "|" + m.checksum + "\n";
  EXPECT_EQ(Psql(url, "SELECT version, name, checksum FROM migrations"), shipped);
}

TEST(Migrator, TheSecondTimeNothingChanges) {
  const std::string url = MigratedDatabase();
  const std::string before = PgDump(url, {});
  const std::string settings = Psql(url, "SELECT setconfig FROM pg_db_role_setting ORDER BY 1");
  ASSERT_THAT(before, HasSubstr("COPY public.versions"));
  ASSERT_TRUE(Migrate(*OpenSession(url)).ok());
  EXPECT_EQ(PgDump(url, {}), before);
  EXPECT_EQ(Psql(url, "SELECT setconfig FROM pg_db_role_setting ORDER BY 1"), settings);
}

TEST(Migrator, DataIsLeftAsItIs) {
  const std::string url = MigratedDatabase();
  Script(url, "INSERT INTO domains VALUES ('d', '2026-11-20 00:00:00Z')");
  ASSERT_TRUE(Migrate(*OpenSession(url)).ok());
  EXPECT_EQ(Psql(url, "SELECT domain FROM domains"), "d\n");
}

TEST(Migrator, AShippedMigrationThatWasChangedIsRefused) {
  const std::string url = MigratedDatabase();
  Script(url, "UPDATE migrations SET checksum = repeat('0', 64)");
  ExpectRefused(url,
                AllOf(HasSubstr("0100_definitions_and_rolls.sql was changed"), HasSubstr("restore the shipped file")));
}

TEST(Migrator, ANewerSchemaIsRefused) {
  const std::string url = MigratedDatabase();
  Script(url, "UPDATE versions SET current = 999, target = 999, current_semver = '2.9.0'");
  ExpectRefused(url, AllOf(HasSubstr("the database is of schema 999"),
                           HasSubstr("built for " + std::to_string(kSchemaMigration)), HasSubstr("nothing was changed")));
}

TEST(Migrator, WhereANewerOneDiedHalfWayAllIsLeftAsItIs) {
  const std::string url = MigratedDatabase();
  Script(url, "UPDATE versions SET target = 999");
  const std::string before = PgDump(url, {});
  EXPECT_TRUE(Migrate(*OpenSession(url)).ok());
  EXPECT_EQ(PgDump(url, {}), before);
}

TEST(Migrator, DiegosDatabaseIsNotTouched) {
  const std::string url = FreshDatabase();
  Script(url, "CREATE TABLE desired_lrps (); CREATE TABLE tasks (); CREATE TABLE configurations ()");
  ExpectRefused(url, HasSubstr("baton admin adopt"));
}

TEST(Migrator, SomebodyElsesDatabaseIsRefused) {
  const std::string url = FreshDatabase();
  Script(url, "CREATE TABLE customers (name text)");
  ExpectRefused(url, AllOf(HasSubstr("1 tables that are not Baton's"), HasSubstr("of its own")));
}

TEST(Migrator, AMigrationThatFailsLeavesNothing) {
  const std::string url = FreshDatabase();
  // A sequence is no table: it is only met when the migration makes its own.
  Script(url, "CREATE SEQUENCE incarnations");
  const std::string before = PgDump(url, {});
  EXPECT_FALSE(Migrate(*OpenSession(url)).ok());
  EXPECT_EQ(PgDump(url, {}), before);
}

TEST(Migrator, OfTwoAtTheSameTimeOneMigratesAndTheOtherWaits) {
  const std::string url = FreshDatabase();
  auto first = OpenSession(url);
  std::future<Status> second;
  bool made_early = true;
  const SessionError error = first->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.Run("LockMigrations");
    second = std::async(std::launch::async, [&] { return Migrate(*OpenSession(url)); });
    // Until it waits for the lock; or has ended, which it must not.
    while (second.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready &&
           Psql(url,
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = "
                "(SELECT oid FROM pg_database WHERE datname = current_database())") != "1\n") {
    }
    made_early = s.Run("LookForTables")[0].Bool("has_versions");
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
  EXPECT_FALSE(made_early);
  EXPECT_TRUE(second.get().ok());
  EXPECT_EQ(Psql(url, "SELECT current FROM versions"), std::to_string(kSchemaMigration) + "\n");
}

TEST(Migrator, ManyAtTheSameTimeMigrateOnce) {
  const std::string url = FreshDatabase();
  std::vector<std::future<Status>> migrators;
  for (int i = 0; i < 8; ++i) {
    migrators.push_back(std::async(std::launch::async, [&] { return Migrate(*OpenSession(url)); }));
  }
  for (auto& migrator : migrators) {
    const Status status = migrator.get();
    EXPECT_TRUE(status.ok()) << status.error().message;
  }
  EXPECT_EQ(Psql(url, "SELECT count(*) FROM migrations"), std::to_string(ShippedMigrations().size()) + "\n");
}

}  // namespace
}  // namespace baton::testing
