// An adoption and a copy that fail, or are killed, at each of their statements: the same call goes on, and what comes
// out is what an undisturbed one makes, row by row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <memory>

#include "orchestrator/model/version.h"
#include "schema/layouts.h"
#include "schema/legacy/copier.h"
#include "schema/migrator/migrator.h"
#include "tests/adopt/diego.h"
#include "tests/adopt/rows.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/statement_sample.h"
#include "tests/schema/pg_tools.h"

namespace baton::testing {
namespace {

// Counts statements and COMMITs of this process, and at one of them does something.
// Counted over all threads: an adoption reads in one and writes in another.
class AtStatement {
 public:
  AtStatement(int at, std::function<void()> act) {
    Session::SetHook([at, act = std::move(act), count = std::make_shared<std::atomic<int>>(0)](std::string_view) {
      if (++*count == at) act();
    });
  }
  ~AtStatement() { Session::SetHook(nullptr); }
};

int CountStatements(const std::function<void()>& work) {
  std::atomic<int> count = 0;
  Session::SetHook([&](std::string_view) { ++count; });
  work();
  Session::SetHook(nullptr);
  return count;
}

void Fail() { throw StatementFault{"57014"}; }

// Does it in a process of its own, which dies at the statement.
bool Dies(int at, const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    const AtStatement die(at, [] { (void)raise(SIGKILL); });
    work();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

constexpr int kOneOf = 5;

class Killed : public ::testing::Test {
 protected:
  Killed() : diego({"--apps", "3", "--instances", "2"}) {
    AddFindings(diego);
  }
  // One batch an app; sessions of its own.
  bool Adopt(const std::string& url) const { return AdoptInto(diego, url, 1).ok(); }
  const Diego diego;
  const std::string into = FreshDatabase();
};

// As it was before: a new database each time would take most of the time.
void ForgetAdoption(const std::string& url) {
  Psql(url,
       "DROP SCHEMA IF EXISTS legacy CASCADE; DROP TABLE IF EXISTS leases, versions, migrations, store, "
       "migration_steps, members, accepted_stores, lost_epochs, upgrade");
}

void ForgetCopy(const std::string& url) {
  Psql(url,
       "DO $$ DECLARE t text; BEGIN FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND "
       "tablename NOT IN ('leases', 'versions', 'migrations', 'store', 'migration_steps', 'members', 'accepted_stores', "
       "'lost_epochs', 'upgrade') LOOP EXECUTE 'DROP TABLE ' || t || ' CASCADE'; "
       "END LOOP; DROP SEQUENCE IF EXISTS incarnations; END $$");
}

TEST_F(Killed, AnAdoptionGoesOnAfterAFailureOfEachStatement) {
  const std::string before = diego.Dump();
  const int statements = CountStatements([&] { ASSERT_TRUE(Adopt(into)); });
  ASSERT_GT(statements, 30);
  const std::string expected = AdoptedRows(into);
  StatementSample next(kOneOf);
  for (int at = next(); at <= statements; at = next()) {
    ForgetAdoption(into);
    bool done = true;
    {
      const AtStatement fail(at, Fail);
      done = Adopt(into);
    }
    EXPECT_FALSE(done) << at;
    ASSERT_TRUE(Adopt(into)) << at;
    ASSERT_EQ(AdoptedRows(into), expected) << at;
  }
  EXPECT_EQ(diego.Dump(), before) << "the source was written to";
}

TEST_F(Killed, AnAdoptionGoesOnAfterDeathAtEachStatement) {
  const std::string before = diego.Dump();
  const int statements = CountStatements([&] { ASSERT_TRUE(Adopt(into)); });
  const std::string expected = AdoptedRows(into);
  StatementSample next(kOneOf);
  for (int at = next(); at <= statements; at = next()) {
    ForgetAdoption(into);
    ASSERT_TRUE(Dies(at, [&] { (void)Adopt(into); })) << at;
    ASSERT_TRUE(Adopt(into)) << at;
    ASSERT_EQ(AdoptedRows(into), expected) << at;
  }
  EXPECT_EQ(diego.Dump(), before) << "the source was written to";
}

// One step of a copy as a migrator takes it; false: it failed, and the checkpoint is as it was.
bool Step(Session& session, CopyBatch& batch) {
  LegacyCopier copier;
  CopyBatch next;
  const SessionError error = session.Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    MakeTargetShape(s);
    next = copier.Next(s, batch.checkpoint, 4);
    return true;
  });
  if (error.ok()) batch = next;
  return error.ok();
}

bool CopyFrom(const std::string& url) {
  const auto session = OpenSession(url);
  CopyBatch batch;
  while (!batch.done) {
    if (!Step(*session, batch)) return false;
  }
  return true;
}

TEST_F(Killed, ACopyGoesOnAfterAFailureOfEachStatement) {
  ASSERT_TRUE(Adopt(into));
  const int statements = CountStatements([&] { ASSERT_TRUE(CopyFrom(into)); });
  ASSERT_GT(statements, 30);
  const std::string expected = CopiedRows(into);
  StatementSample next(kOneOf);
  for (int at = next(); at <= statements; at = next()) {
    ForgetCopy(into);
    const auto session = OpenSession(into);
    const AtStatement fail(at, Fail);
    CopyBatch batch;
    int failures = 0;
    while (!batch.done) failures += Step(*session, batch) ? 0 : 1;
    EXPECT_EQ(failures, 1) << at;
    ASSERT_EQ(CopiedRows(into), expected) << at;
  }
}

TEST_F(Killed, ACopyBeginsAgainAfterDeathAtEachStatement) {
  ASSERT_TRUE(Adopt(into));
  const int statements = CountStatements([&] { ASSERT_TRUE(CopyFrom(into)); });
  const std::string expected = CopiedRows(into);
  StatementSample next(kOneOf);
  for (int at = next(); at <= statements; at = next()) {
    ForgetCopy(into);
    ASSERT_TRUE(Dies(at, [&] { (void)CopyFrom(into); })) << at;
    ASSERT_TRUE(CopyFrom(into)) << at;
    ASSERT_EQ(CopiedRows(into), expected) << at;
  }
}

// Whatever it was.
void ForgetAll(const std::string& url) {
  Psql(url, "DROP SCHEMA IF EXISTS legacy CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public");
}

TEST_F(Killed, AMigrationGoesOnAfterDeathAtEachStatement) {
  ASSERT_TRUE(Adopt(into));
  const int statements = CountStatements([&] { ASSERT_TRUE(Migrate(*OpenSession(into)).ok()); });
  ASSERT_GT(statements, 60);
  const std::string expected = CopiedRows(into);
  StatementSample next(kOneOf);
  for (int at = next(); at <= statements; at = next()) {
    ForgetAll(into);
    ASSERT_TRUE(Adopt(into));
    ASSERT_TRUE(Dies(at, [&] { (void)Migrate(*OpenSession(into)); })) << at;
    const Status status = Migrate(*OpenSession(into));
    ASSERT_TRUE(status.ok()) << at << ": " << status.error().message;
    ASSERT_EQ(CopiedRows(into), expected) << at;
    const std::string newest = std::to_string(kSchemaMigration);
    ASSERT_EQ(Psql(into, "SELECT current, target FROM versions"), newest + "|" + newest + "\n") << at;
    ASSERT_EQ(Psql(into, "SELECT count(*) FROM pg_tables WHERE schemaname = 'legacy'"), "2\n") << at;
  }
}

}  // namespace
}  // namespace baton::testing
