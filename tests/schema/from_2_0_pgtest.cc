// From schema 2.0 to the present one, through the death of the migrator, and of its statements, at each of them.
#include "tests/fakes/statement_sample.h"
#include "tests/schema/from_2_0.h"

namespace baton::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

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
  StatementSample next(5);
  int n = next();
  for (;; n = next()) {
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
  StatementSample next(7);
  for (int n = next(); n <= statements; n = next()) {
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
  const std::string counted = Store20(kApps);
  int statements = 0;
  int end = 0;
  Session::SetHook([&](std::string_view statement) {
    ++statements;
    if (statement == "SetCurrent") end = statements;
  });
  ASSERT_TRUE(Up(counted).ok());
  Session::SetHook({});
  const std::string url = Store20(kApps);
  ASSERT_TRUE(KilledAt(end, [&] { (void)Up(url); }));
  EXPECT_EQ(Psql(url, "SELECT current, target, current_semver FROM versions"), "100|" + std::to_string(kSchemaMigration) + "|2.0.0\n");
  // What an older program writes and reads: its columns, with their defaults.
  std::istringstream tables(Psql(Store20(1), "SELECT attrelid::regclass || '.' || attname || ' ' || format_type(atttypid, NULL) FROM pg_attribute JOIN pg_class c "
                                             "ON c.oid = attrelid WHERE relnamespace = 'public'::regnamespace AND "
                                             "relkind = 'r' AND attnum > 0"));
  const std::string there = "\n" + Psql(url, "SELECT attrelid::regclass || '.' || attname || ' ' || format_type(atttypid, NULL) FROM pg_attribute JOIN pg_class c "
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
                        "migrating the data from schema 100 to 10[0-9] .101 copy Copy0101Domains.: 40 %, 25 rows done, "
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

// Three batches; the first has a row that cannot be taken over, until it is mended.
class ThreeBatches final : public Copier {
 public:
  explicit ThreeBatches(bool mended) : mended_(mended) {}
  std::int64_t CountLeft(Session&, const std::string&) override { return 3; }
  CopyBatch Next(Session&, const std::string& checkpoint, int) override {
    CopyBatch batch{.rows = 1, .checkpoint = checkpoint + "x", .done = checkpoint == "xx", .faults = {}};
    if (checkpoint.empty() && !mended_) batch.faults.push_back("row of app-1");
    return batch;
  }

 private:
  bool mended_;
};

// What had been read beyond the row was written down: the next run began behind it, and left it out.
TEST_F(From20, ARowThatCannotBeTakenOverIsMetAgainByWhoeverGoesOnAfterAKill) {
  const std::string url = Store20(kApps);
  bool mended = false;
  const auto copier = [&](const std::string& name) -> std::unique_ptr<Copier> {
    return name == "Copy0101Domains" ? std::make_unique<ThreeBatches>(mended) : nullptr;
  };
  const auto stopped = Up(url, {.progress = [](const MigrationProgress& p) { return p.rows_done < 2; }, .copier = copier});
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ErrorKind::kAborted) << "as by a kill, between two batches";
  const auto again = Up(url, {.copier = copier});
  ASSERT_FALSE(again.ok());
  EXPECT_THAT(again.error().message, HasSubstr("cannot take over 1 rows:\n  row of app-1"));
  EXPECT_EQ(Psql(url, "SELECT current FROM versions"), "100\n");
  mended = true;
  EXPECT_TRUE(Up(url, {.copier = copier}).ok());
}

TEST_F(From20, WhoWasOvertakenByANewerOneChangesNothing) {
  const std::string url = MigratedDatabase();
  Psql(url, "UPDATE versions SET current = 999, target = 999");
  const std::string before = PgDump(url, {});
  const auto report = Up(url);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().kind, ErrorKind::kFailedPrecondition);
  EXPECT_EQ(PgDump(url, {}), before);
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
  EXPECT_EQ(Psql(url, "SELECT current = target AND current > 100 FROM versions"), "t\n");
  EXPECT_THAT(PgDump(url, {"--schema-only"}), HasSubstr("xid xid8"));
  ASSERT_TRUE(Migrate(*OpenSession(url)).ok());
  EXPECT_EQ(Content(url), Uninterrupted());
}

}  // namespace
}  // namespace baton::testing
