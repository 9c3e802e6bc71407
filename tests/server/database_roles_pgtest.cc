// schema/roles.sql: batond does its whole work as baton_service, which may do no more than that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "orchestrator/service/prepare.h"
#include "schema/encrypted_columns.h"
#include "tests/fakes/own_postgres.h"
#include "tests/fakes/silent_log.h"
#include "tests/schema/pg_tools.h"
#include "tests/server/scripted_cell.h"

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
  // Empty: it was done. "denied": for lack of a privilege. libpqxx 6 gives no SQLSTATE with it.
  static std::string EndOf(const std::string& url, const std::string& statement) {
    const SessionError error = OpenSession(url)->Transact(Session::Isolation::kReadCommitted,
                                                          [&](Session& s) { return s.RunScript(statement), true; });
    if (error.ok()) return "";
    const bool denied = error.detail.find("permission denied") != std::string::npos ||
                        error.detail.find("must be ") != std::string::npos;
    return denied ? "denied" : error.detail;
  }

  OwnPostgres postgres_;
  SilentLog log_;
};

TEST_F(DatabaseRoles, TheServiceDoesItsWorkAndNothingElse) {
  const std::string url = postgres_.postgres->url();
  MakeRoles(url);
  MakeRoles(url);  // as after an upgrade
  ASSERT_TRUE(PrepareDatabase({.url = As("baton_service"), .state_file = {}}, log_, [](Duration) { return true; }));
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
  All("CREATE DATABASE fresh");
  std::string url = postgres_.postgres->url();
  url.replace(url.find("dbname=baton"), 12, "dbname=fresh");
  MakeRoles(url);
  ASSERT_EQ(EndOf(As("baton_service", "fresh"), "CREATE TABLE mine (x int)"), "denied");
  (void)Migrated(As("baton_migrator", "fresh"));
  EXPECT_EQ(testing::Psql(url, "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'"), "baton_owner\n");
  MakeRoles(url);
  RunningService service(As("baton_service", "fresh"));
  service.WaitForLead();
  EXPECT_TRUE(service.Desire(RunningService::SmallApp("app", 0)).ok());
}

}  // namespace
}  // namespace baton
