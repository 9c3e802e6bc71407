// From schema 2.0 to the present one and back, through the death of the migrator, and of its statements, at each of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <sstream>

#include "schema/migrator.h"
#include "schema/shipped.h"
#include "schema/version.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"
#include "tests/schema/store_2_0.h"

namespace baton::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr int kApps = 20;
constexpr int kBatch = 25;  // of 60 instances: three batches

Result<MigrationReport> Up(const std::string& url, MigratorOptions options = {.batch = kBatch}) {
  auto session = OpenSession(url);
  Migrator migrator(*session, ShippedMigrations(), std::move(options));
  return migrator.Up();
}
Result<MigrationReport> Down(const std::string& url) {
  auto session = OpenSession(url);
  Migrator migrator(*session, ShippedMigrations(), {.batch = kBatch});
  return migrator.Down(100);
}

// Rows come in the order of their last change, and a column that was added anew comes last.
std::string Sorted(const std::string& dump) {
  std::istringstream in(dump);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with(',')) line.pop_back();
    lines.push_back(line);
  }
  std::ranges::sort(lines);
  std::string sorted;
  for (const std::string& line : lines) sorted += line + "\n";
  return sorted;
}

// All but times of the migration itself, and the store's name.
std::string Content(const std::string& url) {
  return Sorted(PgDump(url, {"--exclude-table-data=migration_steps", "--exclude-table-data=store",
                      "--exclude-table-data=migrations"})) +
         Psql(url, "SELECT version, name, checksum FROM migrations ORDER BY 1") +
         Psql(url, "SELECT rollback_from, rollback_done FROM store") +
         Psql(url, "SELECT version, kind, name, done FROM migration_steps WHERE kind <> 'copy' ORDER BY 1, 2, 3");
}
std::string SchemaOf20(const std::string& url) {
  return Sorted(PgDump(url, {"--schema-only", "--exclude-table=store", "--exclude-table=migration_steps",
                             "--exclude-table=members"}));
}

bool Eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
  }
  return true;
}

class From20 : public ::testing::Test {
 protected:
  void TearDown() override { Session::SetHook({}); }
  static std::string Uninterrupted() {
    static const std::string content = [] {
      const std::string url = Store20(kApps);
      EXPECT_TRUE(Up(url).ok());
      return Content(url);
    }();
    return content;
  }
  // How many statements a run takes.
  template <class Run>
  static int Statements(Run&& run) {
    int count = 0;
    Session::SetHook([&](std::string_view) { ++count; });
    run();
    Session::SetHook({});
    return count;
  }
  // `run` in a process of its own that is killed before its n-th statement. False: it came to its end.
  template <class Run>
  static bool KilledAt(int n, Run&& run) {
    const pid_t child = fork();
    if (child == 0) {
      Session::SetHook([n, at = 0](std::string_view) mutable {
        if (++at == n) kill(getpid(), SIGKILL);
      });
      run();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status);
  }
};

TEST_F(From20, ComesToWhatANewDatabaseIs) {
  const std::string url = Store20(kApps);
  const auto report = Up(url);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->from, 100);
  EXPECT_EQ(report->to, kSchemaMigration);
  EXPECT_EQ(report->rows, 3 * kApps + kApps / 10);
  EXPECT_EQ(report->lrps, 4 * kApps);
  EXPECT_EQ(PgDump(url, {"--schema-only"}), PgDump(MigratedDatabase(), {"--schema-only"}));
  EXPECT_EQ(Psql(url, "SELECT current, target, current_semver FROM versions"),
            std::to_string(kSchemaMigration) + "|" + std::to_string(kSchemaMigration) + "|" + kSchemaSemver + "\n");
}

TEST_F(From20, NothingIsLostAndWhatIsNewIsFilled) {
  const std::string url = Store20(kApps);
  ASSERT_TRUE(Up(url).ok());
  EXPECT_EQ(Psql(url, "SELECT count(*), count(DISTINCT actual_id) FROM actual_lrps a JOIN desired_lrps d "
                      "USING (process_guid) WHERE a.domain = d.domain AND a.format = 2"),
            "60|60\n");
  EXPECT_EQ(Psql(url, "SELECT count(*) FROM rolls r JOIN desired_lrps d USING (process_guid) WHERE r.strategy = d.strategy"),
            "2\n");
  EXPECT_EQ(Psql(url, "SELECT count(*) FROM definitions"), "40\n");
  EXPECT_EQ(Psql(url, "SELECT count(*) FROM events"), "20\n");
  EXPECT_EQ(Psql(url, "SELECT epoch FROM leases"), "7\n") << "epochs go on";
}

TEST_F(From20, ASecondTimeNothingChanges) {
  const std::string url = Store20(kApps);
  ASSERT_TRUE(Migrate(*OpenSession(url)).ok());
  const std::string before = PgDump(url, {});
  ASSERT_TRUE(Migrate(*OpenSession(url)).ok());
  EXPECT_EQ(PgDump(url, {}), before);
}

TEST_F(From20, ATextThat0100HadForAWhileLeadsToTheSame) {
  const std::string url = Store20(kApps);
  const SessionError error = OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript("UPDATE migrations SET checksum = '91b4b5f430a4ada24c88b34fadee734cbba8ee0cab6ad2574bb9302e566a9511'");
    s.RunScript("ALTER TABLE rolls ADD COLUMN strategy bytea NOT NULL DEFAULT 'x'");
    s.RunScript("ALTER TABLE actual_lrps ADD COLUMN retire_asked boolean NOT NULL DEFAULT false");
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
  EXPECT_TRUE(Migrate(*OpenSession(url)).ok());
  EXPECT_EQ(Psql(url, "SELECT count(*) FROM rolls WHERE strategy = 'x'"), "2\n");
}

TEST_F(From20, KilledBeforeEachStatementItGoesOnToTheSame) {
  const std::string expected = Uninterrupted();
  int n = 1;
  for (;; ++n) {
    const std::string url = Store20(kApps);
    const bool killed = KilledAt(n, [&] { (void)Migrate(*OpenSession(url)); });
    const Status status = Migrate(*OpenSession(url));
    ASSERT_TRUE(status.ok()) << n << ": " << status.error().message;
    ASSERT_EQ(Content(url), expected) << "killed before statement " << n;
    if (!killed) break;
  }
  EXPECT_GT(n, 60) << "it has more statements than that";
}

TEST_F(From20, AStatementThatFailsIsSaidAndTheNextRunComesToTheSame) {
  const std::string expected = Uninterrupted();
  const std::string counted = Store20(kApps);
  const int statements = Statements([&] { ASSERT_TRUE(Up(counted).ok()); });
  for (int n = 1; n <= statements; n += 3) {
    const std::string url = Store20(kApps);
    bool counting = false;  // for the report, which can do without
    bool needed = true;
    Session::SetHook([&, at = 0](std::string_view statement) mutable {
      counting = statement == "CountLrps" || (counting && statement == "COMMIT");
      if (++at != n) return;
      needed = !counting;
      throw StatementFault{"53100"};  // the disk is full
    });
    const auto report = Up(url);
    Session::SetHook({});
    EXPECT_EQ(report.ok(), !needed) << n;
    const auto again = Migrate(*OpenSession(url));
    ASSERT_TRUE(again.ok()) << again.error().message;
    ASSERT_EQ(Content(url), expected) << "statement " << n << " failed";
  }
}

TEST_F(From20, ADeadlockIsMetByTryingAgain) {
  const std::string url = Store20(kApps);
  int met = 0;
  Session::SetHook([&](std::string_view statement) {
    if (statement == "Copy0101Domains" && ++met <= 2) throw StatementFault{"40P01"};
  });
  EXPECT_TRUE(Up(url).ok());
  EXPECT_GT(met, 2);
  Session::SetHook({});
  EXPECT_EQ(Content(url), Uninterrupted());
}

TEST_F(From20, UntilTheEndAllThatTheOldVersionNeedsIsThere) {
  const std::string expected = Psql(Store20(kApps), "SELECT * FROM events ORDER BY sequence") ;
  const std::string counted = Store20(kApps);
  int statements = 0;
  int end = 0;
  Session::SetHook([&](std::string_view statement) {
    ++statements;
    if (statement == "SetCurrent") end = statements;
  });
  ASSERT_TRUE(Up(counted).ok());
  Session::SetHook({});
  const std::string old_schema = SchemaOf20(Store20(kApps));
  const std::string url = Store20(kApps);
  ASSERT_TRUE(KilledAt(end, [&] { (void)Up(url); }));
  EXPECT_EQ(Psql(url, "SELECT current, target, current_semver FROM versions"), "100|101|2.0.0\n");
  // What an older program writes and reads: its columns, with their defaults.
  std::istringstream tables(Psql(Store20(1), "SELECT attrelid::regclass || '.' || attname FROM pg_attribute JOIN pg_class c "
                                             "ON c.oid = attrelid WHERE relnamespace = 'public'::regnamespace AND "
                                             "relkind = 'r' AND attnum > 0"));
  const std::string there = "\n" + Psql(url, "SELECT attrelid::regclass || '.' || attname FROM pg_attribute JOIN pg_class c "
                                             "ON c.oid = attrelid WHERE relnamespace = 'public'::regnamespace AND "
                                             "relkind = 'r' AND attnum > 0 AND NOT attisdropped");
  for (std::string column; std::getline(tables, column);) EXPECT_THAT(there, HasSubstr("\n" + column + "\n"));
}

TEST_F(From20, OfManyAtATimeOneMigratesAndAllAreWell) {
  const std::string url = Store20(kApps);
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(fork());
    if (children.back() == 0) _exit(Migrate(*OpenSession(url)).ok() ? 0 : 1);
  }
  // Without a leader to hold them apart they may meet; whoever loses says so, and nothing is doubled or half done.
  for (const pid_t child : children) waitpid(child, nullptr, 0);
  ASSERT_TRUE(Migrate(*OpenSession(url)).ok());
  EXPECT_EQ(Content(url), Uninterrupted());
}

TEST_F(From20, SomebodyWhoMayNotWriteStopsAtOnce) {
  const std::string url = Store20(kApps);
  int asked = 0;
  const auto report = Up(url, {.fence = [&](Session&) { return ++asked < 8; }, .batch = kBatch});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().kind, ErrorKind::kAborted);
  EXPECT_EQ(asked, 8);
  EXPECT_EQ(Psql(url, "SELECT current FROM versions"), "100\n");
}

TEST_F(From20, SaysHowFarItIs) {
  const std::string url = Store20(kApps);
  std::vector<std::string> said;
  ASSERT_TRUE(Up(url, {.progress = [&](const MigrationProgress& p) { return said.push_back(Say(p)), true; }, .batch = kBatch}).ok());
  EXPECT_THAT(said, ::testing::Contains(MatchesRegex(
                        "migrating the data from schema 100 to 101 .101 copy Copy0101Domains.: 40 %, 25 rows done, "
                        "37 left, about [0-9]+ s")));
}

TEST_F(From20, IsStoppedBetweenBatchesAndGoesOn) {
  const std::string url = Store20(kApps);
  const auto report = Up(url, {.progress = [](const MigrationProgress& p) { return p.rows_done < 50; }, .batch = kBatch});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(Psql(url, "SELECT checkpoint <> '', rows_done, done FROM migration_steps WHERE kind = 'copy' AND rows_done > 0"),
            "t|50|f\n");
  const auto rest = Up(url);
  ASSERT_TRUE(rest.ok());
  EXPECT_EQ(rest->rows, 12) << "what was read is not read again";
}

TEST_F(From20, AnIndexThatWasInterruptedIsMadeAnew) {
  const std::string url = Store20(kApps);
  int at_index = 0;
  int count = 0;
  const std::string counted = Store20(kApps);
  Session::SetHook([&](std::string_view statement) {
    ++count;
    if (statement.starts_with("CREATE INDEX CONCURRENTLY actual_lrps_ordinary")) at_index = count;
  });
  ASSERT_TRUE(Up(counted).ok());
  Session::SetHook({});
  ASSERT_TRUE(KilledAt(at_index, [&] { (void)Up(url); }));
  // As PostgreSQL leaves it behind.
  auto session = OpenSession(url);
  ASSERT_TRUE(session->RunAlone("CREATE INDEX actual_lrps_ordinary ON actual_lrps (process_guid)").ok());
  ASSERT_TRUE(session->RunAlone("UPDATE pg_index SET indisvalid = false WHERE indexrelid = "
                                "'actual_lrps_ordinary'::regclass").ok());
  ASSERT_TRUE(Up(url).ok());
  EXPECT_EQ(Content(url), Uninterrupted());
}

TEST_F(From20, AContractThatWasLeftIsDoneByTheNextLeader) {
  const std::string url = Store20(kApps);
  int count = 0;
  int contract = 0;
  const std::string counted = Store20(kApps);
  Session::SetHook([&](std::string_view statement) {
    ++count;
    if (statement.find("ALTER COLUMN format SET DEFAULT 2") != std::string_view::npos) contract = count;
  });
  ASSERT_TRUE(Up(counted).ok());
  Session::SetHook({});
  ASSERT_TRUE(KilledAt(contract, [&] { (void)Up(url); }));
  EXPECT_EQ(Psql(url, "SELECT current, target FROM versions"), "101|101\n");
  EXPECT_THAT(PgDump(url, {"--schema-only"}), HasSubstr("xid xid8"));
  ASSERT_TRUE(Migrate(*OpenSession(url)).ok());
  EXPECT_EQ(Content(url), Uninterrupted());
}

TEST_F(From20, TheWayBackIsTheOldSchemaAndAllOfItsRows) {
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

TEST_F(From20, TheWayBackNamesWhatItWouldLoseAndDoesNothing) {
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

TEST_F(From20, AWayBackThatWasKilledIsGivenUpOrGoneOnWith) {
  for (int n = 1;; ++n) {
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

// BATON_OLDER: a batond of schema 2.0, built from the commit that shipped it (./dev prove migration). It was made before
// the law, and refuses whatever is not wholly its own.
TEST_F(From20, AnOlderProgramThatMeetsAHalfDoneMigrationChangesNothing) {
  const char* older = std::getenv("BATON_OLDER");
  if (!older) GTEST_SKIP() << "no older program here: ./dev prove migration builds one";
  int refused = 0;
  int led = 0;
  for (int n = 1;; ++n) {
    const std::string url = Store20(kApps);
    const bool killed = KilledAt(n, [&] { (void)Migrate(*OpenSession(url)); });
    const std::string target = Psql(url, "SELECT current, target FROM versions");
    const std::string before = Content(url);
    const pid_t child = fork();
    if (child == 0) {
      freopen("/dev/null", "w", stderr);
      execl(older, "batond", "--database", url.c_str(), "--listen", "127.0.0.1:0", "--metrics", "", nullptr);
      _exit(127);
    }
    int status = 0;
    if (target == "100|100\n") {
      ASSERT_TRUE(Eventually([&] { return Psql(url, "SELECT count(*) FROM leases WHERE epoch > 7") == "1\n"; })) << n;
      kill(child, SIGTERM);
      waitpid(child, &status, 0);
      ++led;
    } else {
      waitpid(child, &status, 0);
      EXPECT_EQ(WEXITSTATUS(status), 1) << "killed before statement " << n << ", versions " << target;
      EXPECT_EQ(Content(url), before) << "killed before statement " << n;
      ++refused;
    }
    ASSERT_TRUE(Migrate(*OpenSession(url)).ok()) << n;
    if (!killed) break;
  }
  EXPECT_GT(led, 0);
  EXPECT_GT(refused, 20);
  std::cout << "older program: led at " << led << " points, refused at " << refused << ", changed nothing there\n";
}

TEST_F(From20, ThereIsNoWayBackToWhatWasNeverThere) {
  const std::string url = MigratedDatabase();
  auto session = OpenSession(url);
  Migrator migrator(*session, ShippedMigrations(), {});
  const auto report = migrator.Down(7);
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.error().message, HasSubstr("no schema 7"));
}

}  // namespace
}  // namespace baton::testing
