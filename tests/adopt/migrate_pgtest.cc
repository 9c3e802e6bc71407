// What was adopted is taken to 2.x by the migrator, as any other version is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embedded_legacy_migrations.h"
#include "orchestrator/model/version.h"
#include "orchestrator/wire/stored/hash.h"
#include "schema/migrator/migrator.h"
#include "schema/migrator/shipped.h"
#include "tests/adopt/diego.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"

namespace baton::testing {
namespace {

using ::testing::HasSubstr;

std::string PublicSchema(const std::string& url) { return PgDump(url, {"--schema-only", "--schema=public"}); }

TEST(FromLegacy, TheMigratorTakesWhatWasAdoptedToTheNewestSchema) {
  const Diego diego({"--apps", "30", "--hostile"});
  const std::string url = FreshDatabase();
  const auto summary = AdoptInto(diego, url);
  ASSERT_TRUE(summary.ok()) << summary.error().message;
  const nlohmann::json report = ReportOf(*summary, url);
  const Status status = Migrate(*OpenSession(url));
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_EQ(Compared(diego, url, report), "");
  EXPECT_EQ(PublicSchema(url), PublicSchema(MigratedDatabase()));
  std::string applied = "1\n2\n";
  for (const Migration& migration : ShippedMigrations()) applied += std::to_string(migration.version) + "\n";
  EXPECT_EQ(Psql(url, "SELECT version FROM migrations ORDER BY 1"), applied);
  EXPECT_EQ(Psql(url, "SELECT current = target, current_semver FROM versions"), std::string("t|") + kSchemaSemver + "\n");
  EXPECT_EQ(Psql(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'legacy' ORDER BY 1"),
            "adoption\nleft_out\n");
  const std::string before = PgDump(url, {});
  EXPECT_TRUE(Migrate(*OpenSession(url)).ok());
  EXPECT_EQ(PgDump(url, {}), before) << "the second time there is nothing to do";
}

TEST(FromLegacy, ADatabaseOf1Point0IsTakenOverAsWell) {
  const std::string url = FreshDatabase();
  const auto& first = legacy_migrations::Files()[0];
  const SessionError error = OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript(std::string(first.text));
    s.Run("WriteMigration", {"1", std::string(first.name), wire::Sha256Hex(first.text)});
    s.Run("WriteVersions", {"1", "1.0.0"});
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
  const Status status = Migrate(*OpenSession(url));
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_EQ(PgDump(url, {"--schema-only"}), PgDump(MigratedDatabase(), {"--schema-only"}));
}

TEST(FromLegacy, ARowThatCannotBeTakenOverIsNamedAndTheLegacyLayoutStays) {
  const Diego diego({"--apps", "3"});
  const std::string url = FreshDatabase();
  ASSERT_TRUE(AdoptInto(diego, url).ok());
  Psql(url,
       "CREATE TABLE kept AS SELECT * FROM legacy.desired_lrps; UPDATE legacy.desired_lrps SET run_info = '' WHERE "
       "process_guid = (SELECT min(process_guid) FROM legacy.desired_lrps)");
  const Status status = Migrate(*OpenSession(url));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kFailedPrecondition);
  EXPECT_THAT(status.error().message, HasSubstr("legacy.desired_lrps.run_info of "));
  EXPECT_EQ(Psql(url, "SELECT current FROM versions"), "2\n");
  EXPECT_EQ(Psql(url, "SELECT count(*) FROM legacy.desired_lrps"), "3\n");
  Psql(url,
       "UPDATE legacy.desired_lrps d SET run_info = k.run_info FROM kept k WHERE k.process_guid = d.process_guid; "
       "DROP TABLE kept");
  EXPECT_TRUE(Migrate(*OpenSession(url)).ok()) << "mended, it goes on";
  EXPECT_EQ(Psql(url, "SELECT count(*) FROM desired_lrps"), "3\n");
}

}  // namespace
}  // namespace baton::testing
