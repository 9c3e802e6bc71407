// The way back to schema 2.0.
#include "tests/fakes/statement_sample.h"
#include "tests/schema/from_2_0.h"

namespace baton::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class WayBack : public From20 {};

TEST_F(WayBack, TheWayBackIsTheOldSchemaAndAllOfItsRows) {
  const std::string url = Store20(kApps);
  const std::string schema = SchemaOf20(url);
  const std::string rows = Psql(url, "SELECT actual_id, process_guid, state, since FROM actual_lrps ORDER BY 1");
  ASSERT_TRUE(Up(url).ok());
  const auto report = Down(url);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(SchemaOf20(url), schema);
  EXPECT_EQ(Psql(url, "SELECT actual_id, process_guid, state, since FROM actual_lrps ORDER BY 1"), rows);
  EXPECT_EQ(Psql(url, "SELECT current, target, current_semver FROM versions"), "100|100|2.0.0\n");
  EXPECT_EQ(Psql(url, "SELECT version, checksum FROM migrations"), "100|" + ShippedMigrations()[0].checksum + "\n");
  EXPECT_FALSE(Migrate(*OpenSession(url)).ok()) << "not by whoever comes by";
  // And forward again.
  ASSERT_TRUE(Up(url).ok());
  EXPECT_EQ(Content(url), Uninterrupted());
}

TEST_F(WayBack, TheWayBackNamesWhatItWouldLoseAndDoesNothing) {
  const std::string url = Store20(kApps);
  ASSERT_TRUE(Up(url).ok());
  const SessionError error = OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript("INSERT INTO domains VALUES ('eternal', NULL)");
    s.RunScript("UPDATE desired_lrps SET definition_history = 4 WHERE process_guid = 'app-3'");
    s.RunScript("UPDATE definitions SET port_aliases = '{1,2}' WHERE process_guid = 'app-4' AND definition_identifier = 'v1'");
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
  const std::string before = PgDump(url, {});
  const auto report = Down(url);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().kind, ErrorKind::kFailedPrecondition);
  EXPECT_THAT(report.error().message,
              AllOf(HasSubstr("domain eternal is fresh for ever"), HasSubstr("app app-3 keeps 4 definitions"),
                    HasSubstr("definition v1 of app app-4 has port aliases")));
  EXPECT_EQ(PgDump(url, {}), before);
}

TEST_F(WayBack, AWayBackThatWasKilledIsGivenUpOrGoneOnWith) {
  StatementSample next(5);
  for (int n = next();; n = next()) {
    const std::string url = Store20(kApps);
    ASSERT_TRUE(Up(url).ok());
    const std::string schema = SchemaOf20(url);
    const bool killed = KilledAt(n, [&] { (void)Down(url); });
    Found found;
    (void)OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) { return found = LookAt(s), true; });
    if (n % 2 == 0 && found.mark->current != 100) {
      ASSERT_TRUE(Migrate(*OpenSession(url)).ok()) << n;
      ASSERT_EQ(Content(url), Uninterrupted()) << "killed before statement " << n << ", and given up";
    } else {
      ASSERT_TRUE(found.mark->current == 100 || Down(url).ok()) << n;
      ASSERT_EQ(SchemaOf20(url), SchemaOf20(Store20(1))) << "killed before statement " << n << ", and gone on with";
    }
    if (!killed) break;
  }
}

// BATON_OLDER: a batond of schema 2.0, built from the commit that shipped it (./dev prove migration). It was made
// before the law, and refuses whatever is not wholly its own.
TEST_F(WayBack, ThereIsNoWayBackToWhatWasNeverThere) {
  const std::string url = MigratedDatabase();
  auto session = OpenSession(url);
  Migrator migrator(*session, ShippedMigrations(), {});
  const auto report = migrator.Down(7);
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.error().message, HasSubstr("no schema 7"));
}

}  // namespace
}  // namespace baton::testing
