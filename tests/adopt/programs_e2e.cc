// Whole programs on a database that Diego's is adopted into: batonds that are started too early, the older one and
// ours, and two of a kind at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <atomic>
#include <filesystem>
#include <iostream>

#include "orchestrator/model/version.h"
#include "schema/migrator/migrator.h"
#include "tests/adopt/diego.h"
#include "tests/adopt/rows.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/statement_sample.h"
#include "tools/stack/program.h"
#include "tools/stack/wait_for.h"

namespace baton::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::chrono::seconds kPatience{60};

class Programs : public ::testing::Test {
 protected:
  Programs() { AddFindings(diego_); }
  ~Programs() override {
    Session::SetHook({});
    std::filesystem::remove_all(dir_);
  }

  static std::string Ours() { return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "batond"; }
  std::unique_ptr<stack::Program> Batond(const std::string& program, const std::string& url) {
    std::filesystem::remove(log_);
    return std::make_unique<stack::Program>(
        stack::Program::Start{"batond",
                              {program, "--database", url, "--listen", "127.0.0.1:0", "--metrics", ""},
                              log_,
                              {"BATON_INSECURE=true"}});  // an older one does not know the option
  }
  std::unique_ptr<stack::Program> Adopt(const std::string& into, const std::string& log) {
    const std::string baton = std::filesystem::path(Ours()).replace_filename("baton");
    return std::make_unique<stack::Program>(stack::Program::Start{
        "baton",
        {baton, "admin", "adopt", "--from", diego_.url(), "--into", into, "--source-keys", diego_.keys_file()},
        dir_ + "/" + log});
  }
  std::string Said(const std::string& log = "batond.log") const { return stack::LastLines(dir_ + "/" + log, 20); }
  static std::string Versions(const std::string& url) { return Psql(url, "SELECT current, target FROM versions"); }

  // An adoption, then the migration, in a process that is killed before its n-th statement. False: it came to its end.
  bool KilledAt(int n, const std::string& url, bool migrate) const {
    const pid_t child = fork();
    if (child == 0) {
      Session::SetHook([n, at = std::make_shared<std::atomic<int>>(0)](std::string_view) {
        if (++*at == n) kill(getpid(), SIGKILL);
      });
      (void)AdoptInto(diego_, url, 1);
      if (migrate) (void)Migrate(*OpenSession(url));
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status);
  }
  // It says such a thing and ends, and nothing is written.
  void ExpectRefused(const std::string& program, const std::string& url, const std::string& sentence, int n) {
    const std::string before = PgDump(url, {});
    const auto batond = Batond(program, url);
    ASSERT_TRUE(batond->WaitForEnd(kPatience)) << n;
    EXPECT_EQ(batond->exit_status(), 1) << "before statement " << n << ": " << Said();
    EXPECT_THAT(Said(), HasSubstr(sentence)) << n;
    EXPECT_EQ(PgDump(url, {}), before) << "before statement " << n;
  }

  const Diego diego_{{"--apps", "3", "--instances", "2"}};
  const std::string dir_ = [] {
    char path[] = "/tmp/baton-programs-XXXXXX";
    return std::string(mkdtemp(path));
  }();
  const std::string log_ = dir_ + "/batond.log";
};

// BATON_OLDER: a batond of schema 2.0, built from the commit that shipped it (./dev prove migration).
TEST_F(Programs, AnOlderProgramThatMeetsAnAdoptionOrItsMigrationChangesNothing) {
  const char* older = std::getenv("BATON_OLDER");
  if (!older || !*older) GTEST_SKIP() << "no older program here: ./dev prove migration builds one";
  int refused = 0;
  bool killed = true;
  StatementSample next(13);
  for (int n = next(); killed; n = next()) {
    const std::string url = FreshDatabase();
    killed = KilledAt(n, url, true);
    if (Psql(url, "SELECT to_regclass('versions') IS NULL") == "t\n") continue;  // empty: anybody's
    ExpectRefused(older, url, "this program is built for 100: run the version that fits; nothing was changed", n);
    ++refused;
    ASSERT_TRUE(!Versions(url).starts_with("2|2") || AdoptInto(diego_, url, 1).ok()) << n;
    ASSERT_TRUE(Migrate(*OpenSession(url)).ok()) << n;
  }
  EXPECT_GT(refused, 4);
  std::cout << "older program beside an adoption: refused at " << refused << " points, changed nothing there\n";
}

TEST_F(Programs, OneThatIsStartedBeforeTheAdoptionIsDoneChangesNothing) {
  int refused = 0;
  bool killed = true;
  const std::string undisturbed = FreshDatabase();
  ASSERT_TRUE(AdoptInto(diego_, undisturbed, 1).ok());
  StatementSample next(13);
  for (int n = next(); killed; n = next()) {
    const std::string url = FreshDatabase();
    killed = KilledAt(n, url, false);
    if (Psql(url, "SELECT to_regclass('versions') IS NULL") == "t\n") continue;
    if (Psql(url, "SELECT phase FROM legacy.adoption") == "DONE\n") continue;
    ExpectRefused(Ours(), url, "is being adopted into this one, and that is not finished", n);
    ++refused;
    ASSERT_TRUE(AdoptInto(diego_, url, 1).ok()) << n;
    ASSERT_EQ(AdoptedRows(url), AdoptedRows(undisturbed)) << n;
  }
  EXPECT_GT(refused, 0);
  std::cout << "our own program beside an adoption: refused at " << refused << " points, changed nothing there\n";
}

// Started while the transaction that makes the layout is open: it waits for the lock, and then refuses.
TEST_F(Programs, AnOlderProgramThatWaitsForAnAdoptionsFirstTransactionRefusesAfterIt) {
  const char* older = std::getenv("BATON_OLDER");
  if (!older || !*older) GTEST_SKIP() << "no older program here: ./dev prove migration builds one";
  const std::string url = FreshDatabase();
  std::unique_ptr<stack::Program> batond;
  Session::SetHook([&](std::string_view statement) {
    if (batond || statement != "BeginNewAdoption") return;
    batond = Batond(older, url);
    EXPECT_TRUE(stack::WaitFor(kPatience, {}, [&] { return SomebodyWaits(url) || !batond->Running(); }));
    EXPECT_TRUE(batond->Running()) << Said();
  });
  const auto adopted = AdoptInto(diego_, url, 1);
  Session::SetHook({});
  ASSERT_TRUE(adopted.ok()) << adopted.error().message;
  ASSERT_TRUE(batond && batond->WaitForEnd(kPatience));
  EXPECT_EQ(batond->exit_status(), 1);
  EXPECT_THAT(Said(), HasSubstr("this program is built for 100"));
  const std::string undisturbed = FreshDatabase();
  ASSERT_TRUE(AdoptInto(diego_, undisturbed, 1).ok());
  EXPECT_EQ(AdoptedRows(url), AdoptedRows(undisturbed));
}

TEST_F(Programs, OfTwoThatAdoptAtOnceNothingIsDoubledAndTheSameCallGoesOn) {
  const std::string undisturbed = FreshDatabase();
  ASSERT_TRUE(AdoptInto(diego_, undisturbed).ok());
  for (int round = 0; round < 5; ++round) {
    const std::string into = FreshDatabase();
    const auto one = Adopt(into, "one.log");
    const auto two = Adopt(into, "two.log");
    for (const auto& [adopt, log] : {std::pair(&one, "one.log"), std::pair(&two, "two.log")}) {
      ASSERT_TRUE((*adopt)->WaitForEnd(kPatience));
      // 1, with a report or with the other's name: rows are left out here.
      EXPECT_EQ((*adopt)->exit_status(), 1) << Said(log);
      EXPECT_THAT(Said(log), ::testing::AnyOf(HasSubstr("taken over:"), HasSubstr("another adoption"))) << log;
    }
    EXPECT_EQ(AdoptedRows(into), AdoptedRows(undisturbed)) << round;
  }
}

TEST_F(Programs, OfTwoThatRaceToMigrateTheLegacyLayoutOneDoesAndBothStay) {
  const std::string into = FreshDatabase();
  ASSERT_TRUE(AdoptInto(diego_, into).ok());
  const std::string undisturbed = FreshDatabase();
  ASSERT_TRUE(AdoptInto(diego_, undisturbed).ok());
  ASSERT_TRUE(Migrate(*OpenSession(undisturbed)).ok());
  const auto one = Batond(Ours(), into);
  const auto two = Batond(Ours(), into);
  const std::string newest = std::to_string(kSchemaMigration);
  EXPECT_TRUE(stack::WaitFor(kPatience, {}, [&] {
    return Versions(into) == newest + "|" + newest + "\n" &&
           Psql(into, "SELECT string_agg(state, ',' ORDER BY state) FROM members") == "LEADING,STANDBY\n";
  })) << Said();
  EXPECT_TRUE(one->Running() && two->Running()) << Said();
  for (const auto& batond : {&one, &two}) {
    (*batond)->Signal(SIGTERM);
    EXPECT_TRUE((*batond)->WaitForEnd(kPatience));
    EXPECT_EQ((*batond)->exit_status(), 0);
  }
  // What a leader changes afterwards by itself is not about apps and their definitions.
  const std::string apps = "SELECT * FROM definitions ORDER BY 1, 2, 3; SELECT process_guid, incarnation, routes, "
                           "active_definition FROM desired_lrps ORDER BY 1";
  EXPECT_NE(Psql(undisturbed, "SELECT count(*) FROM definitions"), "0\n");
  EXPECT_EQ(Psql(into, apps), Psql(undisturbed, apps));
  EXPECT_EQ(Psql(into, "SELECT count(*) FROM pg_tables WHERE schemaname = 'legacy'"), "2\n");
}

}  // namespace
}  // namespace baton::testing
