// schema/roles.sql: batond does its whole work as baton_service, which may do no more than that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "orchestrator/crypto/encrypted_columns.h"
#include "schema/layouts.h"
#include "tests/fakes/own_postgres.h"
#include "tests/fakes/silent_log.h"
#include "tests/schema/pg_tools.h"
#include "tests/server/scripted_cell.h"
#include "tools/batond/prepare.h"
#include "tools/definitions/run.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

class DatabaseRoles : public ::testing::Test {
 protected:
  void MakeRoles(const std::string& url) {
    testing::PgProgram({"psql", "-q", "-X", "-v", "ON_ERROR_STOP=1", "-d", url, "-f", BATON_ROLES});
  }
  std::string As(const std::string& role, const std::string& database = "baton") {
    std::string url = postgres_.postgres->url();
    url.replace(url.find("user=baton "), 11, "user=" + role + " ");
    return url.replace(url.find("dbname=baton"), 12, "dbname=" + database);
  }
  std::string All(const std::string& query) { return testing::Psql(postgres_.postgres->url(), query); }
  // Empty: it was done. "denied": for lack of a privilege, and the connection goes on.
  static std::string EndOf(const std::string& url, const std::string& statement) {
    const auto session = OpenSession(url);
    const SessionError error = session->Transact(Session::Isolation::kReadCommitted,
                                                 [&](Session& s) { return s.RunScript(statement), true; });
    if (error.ok()) return "";
    return error.sqlstate == kNoPrivilege && !session->broken() ? "denied" : error.detail;
  }
  // With a database in which nothing is, and roles.sql.
  std::string Fresh() {
    All("CREATE DATABASE fresh");
    std::string url = postgres_.postgres->url();
    url.replace(url.find("dbname=baton"), 12, "dbname=fresh");
    MakeRoles(url);
    return url;
  }

  OwnPostgres postgres_;
  SilentLog log_;
};

TEST_F(DatabaseRoles, TheServiceDoesItsWorkAndNothingElse) {
  const std::string url = postgres_.postgres->url();
  MakeRoles(url);
  MakeRoles(url);  // as after an upgrade
  ASSERT_TRUE(
      batond::PrepareDatabase({.url = As("baton_service"), .state_file = {}}, log_, [](Duration) { return true; }));
  {
    RunningService service(As("baton_service"));
    service.WaitForLead();
    ScriptedCell cell(service, "cell-1");
    cell.Hello();
    ASSERT_TRUE(service.Desire(RunningService::SmallApp("app")).ok());
    const v2::RunOrder order = cell.NextRun();
    cell.Report(ScriptedCell::Claimed(order.actual_id()));
    cell.Report(ScriptedCell::Crashed(order.actual_id()));
    v2::UpdateDesiredLRPRequest update;
    update.set_process_guid("app");
    update.mutable_update()->set_instances(2);
    EXPECT_TRUE(service.Update(update).ok());
    v2::ConvergenceRequest converge;
    converge.set_run(true);
    v2::ConvergenceResponse report;
    const grpc::Status converged = service.admin->Convergence(Context().get(), converge, &report);
    EXPECT_TRUE(converged.ok()) << converged.error_message();
    v2::RemoveDesiredLRPRequest remove;
    remove.set_process_guid("app");
    v2::RemoveDesiredLRPResponse removed;
    EXPECT_TRUE(service.apps->RemoveDesiredLRP(Context().get(), remove, &removed).ok());
  }
  EXPECT_THAT(All("SELECT count(*) > 0 FROM audit"), HasSubstr("t"));

  constexpr char kDenied[] = "denied";
  for (const char* statement :
       {"CREATE TABLE mine (x int)", "CREATE SCHEMA mine", "DROP TABLE desired_lrps", "ALTER TABLE events ADD COLUMN x int",
        "TRUNCATE desired_lrps", "TRUNCATE audit", "DELETE FROM versions", "UPDATE versions SET current = 1", "DELETE FROM migrations",
        "INSERT INTO migrations SELECT * FROM migrations", "UPDATE audit SET actor = 'another'", "DELETE FROM key_labels",
        "DELETE FROM store", "CREATE ROLE mine", "ALTER TABLE audit DISABLE ROW LEVEL SECURITY", "SET ROLE baton_owner",
        "COPY versions TO PROGRAM 'cat'", "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'"}) {
    EXPECT_EQ(EndOf(As("baton_service"), statement), kDenied) << statement;
  }
  const std::string entries = All("SELECT count(*) FROM audit");
  EXPECT_EQ(EndOf(As("baton_service"), "DELETE FROM audit"), "");
  EXPECT_EQ(All("SELECT count(*) FROM audit"), entries) << "they are of today";
  (void)OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [](Session& s) {
    return s.RunScript("UPDATE audit SET at = at - interval '2 days'"), true;
  });
  EXPECT_EQ(EndOf(As("baton_service"), "DELETE FROM audit"), "");
  EXPECT_EQ(All("SELECT count(*) FROM audit"), "0\n") << "old ones go";
  for (const char* role : {"baton_reader", "baton_lister"}) {
    EXPECT_EQ(EndOf(As(role), "DELETE FROM desired_lrps"), kDenied) << role;
    EXPECT_EQ(EndOf(As(role), "SELECT process_guid FROM desired_lrps"), "") << role;
  }
}

// A table that is new is decided on here.
TEST_F(DatabaseRoles, EachTableHasItsPrivileges) {
  MakeRoles(postgres_.postgres->url());
  std::istringstream rows(All(
      "SELECT c.relname || ' ' || concat_ws(' ', CASE WHEN has_table_privilege('baton_service', c.oid, 'INSERT') THEN 'insert' END,"
      " CASE WHEN has_table_privilege('baton_service', c.oid, 'UPDATE') THEN 'update' END,"
      " CASE WHEN has_table_privilege('baton_service', c.oid, 'DELETE') THEN 'delete' END)"
      " FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY 1"));
  std::string odd;
  int tables = 0;
  for (std::string row; std::getline(rows, row); ++tables) {
    if (!row.ends_with(" insert update delete")) odd += row + "\n";
  }
  EXPECT_EQ(odd, "accepted_stores insert update\naudit insert delete\nkey_labels insert update\nmigration_steps \nmigrations \n"
                 "store insert update\nversions \n");
  EXPECT_GT(tables, 20);
  for (const char* what : {"TRUNCATE", "REFERENCES", "TRIGGER"}) {
    EXPECT_EQ(All("SELECT count(*) FROM pg_class c, unnest(array['baton_service', 'baton_reader', 'baton_lister']) r WHERE "
                  "c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND has_table_privilege(r, c.oid, '" +
                  std::string(what) + "')"),
              "0\n")
        << what;
  }
}

TEST_F(DatabaseRoles, TheListerReadsWhatIsInTheClear) {
  MakeRoles(postgres_.postgres->url());
  std::string sealed;
  for (const EncryptedTable& table : EncryptedTables()) {
    for (const std::string_view column : table.columns) sealed += std::string(table.table) + "." + std::string(column) + "\n";
  }
  const std::string hidden = All(
      "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public'"
      " AND NOT has_column_privilege('baton_lister', format('public.%I', table_name), column_name, 'SELECT')");
  const auto sorted = [](const std::string& text) {
    std::istringstream lines(text);
    std::multiset<std::string> all;
    for (std::string line; std::getline(lines, line);) all.insert(line);
    return all;
  };
  EXPECT_EQ(sorted(hidden), sorted(sealed));
}

TEST_F(DatabaseRoles, WhatTheMigratorMakesIsTheOwners) {
  const std::string url = Fresh();
  ASSERT_EQ(EndOf(As("baton_service", "fresh"), "CREATE TABLE mine (x int)"), "denied");
  (void)Migrated(As("baton_migrator", "fresh"));
  EXPECT_EQ(testing::Psql(url, "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'"), "baton_owner\n");
  MakeRoles(url);
  RunningService service(As("baton_service", "fresh"));
  service.WaitForLead();
  EXPECT_TRUE(service.Desire(RunningService::SmallApp("app", 0)).ok());
}

// Its tables are made in a schema of their own and moved: they had no privileges, and batond served none of them.
TEST_F(DatabaseRoles, TheServiceGoesOnInWhatTheMigratorMadeOfSchemaOne) {
  const std::string url = Fresh();
  const SessionError old = OpenSession(url)->Transact(Session::Isolation::kReadCommitted,
                                                      [](Session& s) { return MakeLegacyLayout(s), true; });
  ASSERT_TRUE(old.ok()) << old.detail;
  MakeRoles(url);
  batond::ServiceOptions options;
  options.database_owner = As("baton_migrator", "fresh");
  RunningService service(As("baton_service", "fresh"), options);
  service.WaitForLead();
  const grpc::Status desired = service.Desire(RunningService::SmallApp("app", 0));
  EXPECT_TRUE(desired.ok()) << desired.error_message();
  v2::ConvergenceRequest converge;
  converge.set_run(true);
  v2::ConvergenceResponse report;
  const grpc::Status converged = service.admin->Convergence(Context().get(), converge, &report);
  EXPECT_TRUE(converged.ok()) << converged.error_message();
}

TEST_F(DatabaseRoles, AMigratorThatIsPausedHoldsNothingForLong) {
  (void)Fresh();
  const auto migrator = OpenSession(As("baton_migrator", "fresh"));
  std::string idle, lock;
  ASSERT_TRUE(migrator->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    idle = s.RunScript("SHOW idle_in_transaction_session_timeout")[0].Text();
    lock = s.RunScript("SHOW lock_timeout")[0].Text();
    return true;
  }).ok());
  EXPECT_EQ(idle, "1500ms");
  EXPECT_EQ(lock, "10s");
}

// It was said that the database does not answer, and tried for ever.
TEST_F(DatabaseRoles, WhoMayMakeNoRolesIsToldSoAtOnce) {
  (void)Fresh();
  const Status ready = batond::PrepareDatabase(
      {.url = As("baton_service", "fresh"), .superuser = As("baton_reader", "fresh"), .state_file = {}}, log_,
      [](Duration) { return true; });
  ASSERT_FALSE(ready);
  EXPECT_EQ(ready.error().kind, ErrorKind::kFailedPrecondition) << ready.error().message;
  EXPECT_THAT(ready.error().message, HasSubstr("the roles of the database cannot be made (schema/roles.sql)"));
}

// Two roles in one start: the one makes tables and is gone, the other works with them.
TEST_F(DatabaseRoles, TheOwnersConnectionIsForMigrationsAlone) {
  const std::string url = Fresh();
  const auto stopped = [](Duration) { return true; };
  const Status alone = batond::PrepareDatabase({.url = As("baton_service", "fresh"), .state_file = {}}, log_, stopped);
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().kind, ErrorKind::kFailedPrecondition) << "it is not tried again and again: " << alone.error().message;
  EXPECT_THAT(alone.error().message, HasSubstr("give batond --database-owner"));
  batond::ServiceOptions options;
  options.database_owner = As("baton_migrator", "fresh");
  const Status made = batond::PrepareDatabase(
      {.url = As("baton_service", "fresh"), .owner = options.database_owner, .state_file = {}}, log_, stopped);
  ASSERT_TRUE(made) << made.error().message;
  RunningService service(As("baton_service", "fresh"), options);
  service.WaitForLead();
  EXPECT_TRUE(service.Desire(RunningService::SmallApp("app", 0)).ok());
  EXPECT_EQ(testing::Psql(url, "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'"), "baton_owner\n");
  EXPECT_TRUE(Eventually([&] { return All("SELECT count(*) FROM pg_stat_activity WHERE usename = 'baton_migrator'") == "0\n"; }));
  EXPECT_EQ(All("SELECT count(*) > 0 FROM pg_stat_activity WHERE usename = 'baton_service'"), "t\n");
}

// libpqxx 6 leaves the SQLSTATE out: it looked as if the connection had ended, and callers were told to try again.
TEST_F(DatabaseRoles, ARightThatLacksIsNoConnectionThatEnded) {
  MakeRoles(postgres_.postgres->url());
  RunningService service(As("baton_service"));
  service.WaitForLead();
  All("REVOKE INSERT ON desired_lrps FROM baton_service");
  const grpc::Status refused = service.Desire(RunningService::SmallApp("app", 0));
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::INTERNAL);
  EXPECT_THAT(refused.error_message(), HasSubstr("baton admin check-database"));
  All("GRANT INSERT ON desired_lrps TO baton_service");
  EXPECT_TRUE(service.Desire(RunningService::SmallApp("app", 0)).ok());
}

// What the dump tool lists is in the clear by design; the role that reads no more than that is enough for it.
TEST_F(DatabaseRoles, TheListerIsEnoughForBatonDefinitions) {
  MakeRoles(postgres_.postgres->url());
  {
    RunningService service(As("baton_service"));
    service.WaitForLead();
    ASSERT_TRUE(service.Desire(RunningService::SmallApp("app", 0)).ok());
  }
  const auto print = [&](definitions::DefinitionsOptions options) {
    options.database = As("baton_lister");
    std::ostringstream out, err;
    EXPECT_EQ(definitions::RunDefinitions(options, {out, err}), definitions::kExitFine) << err.str();
    EXPECT_THAT(err.str(), HasSubstr("reads only what is in the clear"));
    return out.str();
  };
  EXPECT_THAT(print({}), HasSubstr("app"));
  EXPECT_THAT(print({.check = true}), ::testing::AllOf(HasSubstr("checked 1 app, 1 definition, 0 blobs"), HasSubstr("all is well")));
}

}  // namespace
}  // namespace baton
