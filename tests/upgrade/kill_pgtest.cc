// An online upgrade, there, back, there again and to its end, while statements and COMMITs fail, their processes are killed,
// answers are lost and PostgreSQL dies: who goes on comes to the same, and nobody ever sees two truths.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <new>

#include "orchestrator/model/version.h"
#include "tests/fakes/commit_cutter.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/statement_sample.h"
#include "tests/fakes/test_postgres.h"
#include "tests/schema/pg_tools.h"
#include "tests/upgrade/journey.h"

namespace baton::testing {
namespace {

constexpr int kTriesMax = 8;  // of one leader, after one failure

// A journey has some hundreds of statements, and each of them costs another journey.
constexpr int kOneStatementOf = 71, kOneCommitOf = 17;

class AJourney : public ::testing::Test {
 protected:
  AJourney() {
    MakeWaiting(start_);
    const std::string url = Fresh();
    LeadingProcess process(url);
    Session::SetHook([this](std::string_view statement) {
      ++statements_;
      commits_ += statement == "COMMIT" ? 1 : 0;
    });
    std::atomic<int> word = 0;
    Status walked = process.Lead();
    if (walked) walked = Walk(process, url, word);
    Session::SetHook(nullptr);
    EXPECT_TRUE(walked.ok()) << walked.error().message;
    expected_ = AppsOf(url);
    EndsWell(url);
    EXPECT_GT(statements_, 200);
    EXPECT_GT(commits_, 60);
  }

  // In the place of the one before it: hundreds of them fill a disk.
  std::string Fresh() {
    if (!last_.empty()) Psql(start_, "DROP DATABASE " + last_.substr(last_.rfind('=') + 1) + " WITH (FORCE)");
    return last_ = postgres_.NewDatabase(start_);
  }

  // The next leader, and whoever follows, say the same word again.
  void GoesOn(const std::string& url, std::atomic<int>& word) {
    ASSERT_EQ(Wrong(url), "");
    LeadingProcess next(url);
    const Status led = next.Lead();
    ASSERT_TRUE(led.ok()) << led.error().message;
    const Status walked = Walk(next, url, word, kWords - 1);
    ASSERT_TRUE(walked.ok()) << "word " << word << ": " << walked.error().message;
    ASSERT_EQ(Wrong(url), "");
    ASSERT_EQ(AppsOf(url), expected_);
    const Status finished = Walk(next, url, word);
    ASSERT_TRUE(finished.ok()) << finished.error().message;
    EndsWell(url);
  }
  void EndsWell(const std::string& url) {
    ASSERT_EQ(AppsOf(url), expected_);
    ASSERT_EQ(Wrong(url), "");
    ASSERT_EQ(Psql(url, "SELECT count(*) FROM upgrade; SELECT count(*) FROM upgrade_shards; "
                        "SELECT to_regclass('legacy.desired_lrps') IS NULL, to_regclass('legacy.changes') IS NULL"),
              "0\n0\nt|t\n")
        << "something of it is left";
  }

  TestPostgres postgres_;
  const std::string start_ = postgres_.NewDatabase();
  std::string last_;
  std::string expected_;
  int statements_ = 0;
  int commits_ = 0;
};

// At the statement that comes `at`-th, and at no other.
void At(int at, std::function<void()> act) {
  Session::SetHook([at, act = std::move(act), count = std::make_shared<std::atomic<int>>(0)](std::string_view) {
    if (++*count == at) act();
  });
}

// As a leader that nobody deposes: the errors come and go.
void GoOnInOneProcess(LeadingProcess& process, const std::string& url, std::atomic<int>& word) {
  Status walked = Error{};
  for (int tries = 0; !walked && tries < kTriesMax; ++tries) walked = Walk(process, url, word);
  ASSERT_TRUE(walked.ok()) << "word " << word << ": " << walked.error().message;
}

TEST_F(AJourney, GoesOnAfterAFailureOfEachStatement) {
  int failed = 0;
  StatementSample next(kOneStatementOf);
  for (int at = next(); at <= statements_ && !HasFailure(); at = next()) {
    SCOPED_TRACE("statement " + std::to_string(at));
    for (const char* sqlstate : {"57014", "08006"}) {
      const std::string url = Fresh();
      std::atomic<int> word = 0;
      {
        LeadingProcess process(url);
        At(at, [sqlstate] { throw StatementFault{sqlstate}; });
        Status walked = process.Lead();
        if (walked) walked = Walk(process, url, word);
        Session::SetHook(nullptr);
        failed += walked ? 0 : 1;
      }
      GoesOn(url, word);
    }
  }
  EXPECT_GT(failed, 5);
}

TEST_F(AJourney, GoesOnInTheSameProcessAfterAFailureOfEachStatement) {
  StatementSample next(kOneStatementOf);
  for (int at = next(); at <= statements_ && !HasFailure(); at = next()) {
    SCOPED_TRACE("statement " + std::to_string(at));
    const std::string url = Fresh();
    LeadingProcess process(url);
    ASSERT_TRUE(process.Lead().ok());
    std::atomic<int> word = 0;
    At(at, [] { throw StatementFault{"57014"}; });
    (void)Walk(process, url, word);
    Session::SetHook(nullptr);
    ASSERT_EQ(Wrong(url), "");
    GoOnInOneProcess(process, url, word);
    EndsWell(url);
  }
}

TEST_F(AJourney, GoesOnAfterDeathAtEachStatement) {
  void* const shared = mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  StatementSample next(kOneStatementOf);
  for (int at = next(); at <= statements_ && !HasFailure(); at = next()) {
    SCOPED_TRACE("statement " + std::to_string(at));
    const std::string url = Fresh();
    auto& word = *new (shared) std::atomic<int>(0);
    const pid_t child = fork();
    if (child == 0) {
      LeadingProcess process(url);
      At(at, [] { (void)raise(SIGKILL); });
      if (process.Lead()) (void)Walk(process, url, word);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    GoesOn(url, word);
  }
  munmap(shared, sizeof(std::atomic<int>));
}

// Every commit that writes, cut before it arrives and after it was done: the same process goes on, and the next.
TEST_F(AJourney, GoesOnWhereTheAnswerToACommitIsLost) {
  int cut = 0;
  StatementSample next(kOneCommitOf);
  for (int at = next(); at <= commits_ && !HasFailure(); at = next()) {
    SCOPED_TRACE("commit " + std::to_string(at));
    for (const bool same : {true, false}) {
      const std::string url = Fresh();
      CommitCutter cutter(url, "Fence");
      LeadingProcess process(cutter.url());
      ASSERT_TRUE(process.Lead().ok());
      std::atomic<int> word = 0;
      Session::SetHook([&, commits = 0](std::string_view statement) mutable {
        if (statement == "COMMIT" && ++commits == at) cutter.CutNext(CommitCutter::Cut::kAfter);
      });
      (void)Walk(process, cutter.url(), word);
      Session::SetHook(nullptr);
      cut += cutter.cut() ? 1 : 0;
      cutter.CutNext(CommitCutter::Cut::kNone);
      const std::string counts = Psql(url, "SELECT current FROM versions");
      EXPECT_TRUE(counts != "2\n" || process.mode()->one_definition) << "callers write what 1.x cannot say";
      if (!same) {
        GoesOn(url, word);
        continue;
      }
      ASSERT_EQ(Wrong(url), "");
      GoOnInOneProcess(process, cutter.url(), word);
      EndsWell(url);
    }
  }
  EXPECT_GT(cut, 5);
}

// 1.x counts, and this process does not know: nothing may be written that 1.x cannot say.
TEST_F(AJourney, WhereTheAnswerToTheWayBackIsLostCallersAreHeldTo1x) {
  const std::string url = Fresh();
  CommitCutter cutter(url, "ForgetMigration");
  LeadingProcess process(cutter.url());
  ASSERT_TRUE(process.Lead().ok());
  std::atomic<int> word = 0;
  ASSERT_TRUE(Walk(process, url, word, 1).ok());
  ASSERT_FALSE(process.mode()->one_definition);
  cutter.CutNext(CommitCutter::Cut::kAfter);
  EXPECT_FALSE(Walk(process, url, word, 2).ok());
  EXPECT_TRUE(cutter.cut());
  ASSERT_EQ(Psql(url, "SELECT current FROM versions"), "2\n");
  EXPECT_TRUE(process.mode()->one_definition);
  EXPECT_EQ(process.upgrade().Look()->state, UpgradeState::kWaiting);
  EXPECT_EQ(process.mode()->state, UpgradeState::kWaiting) << "a look tells callers, too";
  GoOnInOneProcess(process, cutter.url(), word);
  EndsWell(url);
}

TEST_F(AJourney, AFinishThatFailedHalfwayIsFinishedByTheSameWord) {
  const std::string url = Fresh();
  LeadingProcess process(url);
  ASSERT_TRUE(process.Lead().ok());
  std::atomic<int> word = 0;
  ASSERT_TRUE(Walk(process, url, word, kWords - 1).ok());
  Session::SetHook([](std::string_view statement) {
    if (statement == "DropLegacyTables") throw StatementFault{"57014"};
  });
  EXPECT_FALSE(process.upgrade().Finish().ok());
  Session::SetHook(nullptr);
  ASSERT_EQ(Psql(url, "SELECT to_regclass('legacy.desired_lrps') IS NULL"), "f\n");
  EXPECT_TRUE(process.upgrade().Finish().ok());
  EndsWell(url);
}

TEST_F(AJourney, GoesOnAfterPostgresDies) {
  int died = 0;
  StatementSample next(kOneStatementOf);
  for (int n = next(); n <= statements_ && !HasFailure(); n = next()) {
    SCOPED_TRACE("before statement " + std::to_string(n));
    const std::string url = Fresh();
    std::atomic<int> word = 0;
    {
      LeadingProcess process(url);
      postgres_.DieBefore(n);
      Status walked = process.Lead();
      if (walked) walked = Walk(process, url, word);
      died += postgres_.StopDying() ? 1 : 0;
    }
    GoesOn(url, word);
  }
  EXPECT_GT(died, 3);
  std::cout << "PostgreSQL died before " << died << " statements of an online upgrade\n";
}

}  // namespace
}  // namespace baton::testing
