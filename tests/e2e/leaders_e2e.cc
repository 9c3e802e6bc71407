// Several batonds side by side, under traffic and with rolls under way: one is stopped, killed, put to sleep; another
// leads, and nobody who does not lead commits anything.
#include <signal.h>

#include <random>

#include "tests/e2e/flight_recorder.h"
#include "tests/e2e/scene.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

using Clock = std::chrono::steady_clock;

stack::StackOptions Three(stack::StackOptions options = {}) {
  options.batonds = 3;
  options.postgres_settings = FlightRecorder::Settings();
  return options;
}

class Leaders : public Scene {
 protected:
  Leaders() : Scene(Three()) {}

  std::size_t Leader() {
    std::optional<std::size_t> leader;
    EXPECT_TRUE(Await([&] { return (leader = stack_->api().Leader()).has_value(); }));
    return leader.value_or(0);
  }
  // An update that is acknowledged.
  void Write() {
    v2::DesiredLRPUpdate update;
    update.set_annotation("written " + std::to_string(++writes_));
    stack_->api().Update(app_.process_guid, update);
  }
  double SecondsUntilAWrite(const std::function<void()>& trouble) {
    const auto began = Clock::now();
    trouble();
    Write();
    return std::chrono::duration<double>(Clock::now() - began).count();
  }
  void Say(const std::string& what, double seconds) {
    std::cout << "leaders " << ::testing::UnitTest::GetInstance()->current_test_info()->name() << ": " << what << " "
              << static_cast<int>(seconds * 1000) << " ms\n";
  }
  FlightRecorder Recorder() { return FlightRecorder(stack_->database_url(), stack_->dir() + "/pg/postgres.log"); }
  static void ExpectNoBreach(const FlightReport& report) {
    EXPECT_GT(report.commits, 0);
    for (const std::string& breach : report.breaches) ADD_FAILURE() << breach;
    EXPECT_TRUE(std::ranges::is_sorted(report.epochs));
  }

  int writes_ = 0;
};

TEST_F(Leaders, OneThatIsToldToStopHandsOverInTheMiddleOfARoll) {
  Begin();
  FlightRecorder recorder = Recorder();
  StartTraffic();
  const v2::Roll roll = Update("v2");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  const std::size_t leader = Leader();
  const std::int64_t epoch = stack_->api().Epoch();
  const double took = SecondsUntilAWrite([&] { stack_->batond(leader).Signal(SIGTERM); });
  EXPECT_TRUE(stack_->batond(leader).WaitForEnd(std::chrono::seconds(10)));
  EXPECT_EQ(stack_->batond(leader).exit_status(), 0);
  EXPECT_TRUE(Await([&] { return stack_->api().Epoch() > epoch; })) << "a ping of a connection that has just failed fails, too";
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  EXPECT_TRUE(AwaitOnly("v2", app_.instances));
  ExpectUnnoticed();
  const FlightReport report = recorder.Read();
  ExpectNoBreach(report);
  EXPECT_EQ(report.elections, 1);
  Say("from SIGTERM to the next acknowledged write", took);
}

TEST_F(Leaders, OneThatIsKilledIsFollowedAndTheRollGoesOn) {
  Begin();
  FlightRecorder recorder = Recorder();
  StartTraffic();
  const v2::Roll roll = Update("v2");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  const std::size_t leader = Leader();
  const double took = SecondsUntilAWrite([&] { stack_->KillBatond(leader); });
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  EXPECT_TRUE(AwaitOnly("v2", app_.instances));
  stack_->StartBatond(leader);
  ExpectUnnoticed();
  ExpectNoBreach(recorder.Read());
  Say("from kill -9 to the next acknowledged write", took);
}

// BATON_SLEEPS: how often; more in ./dev prove leader.
TEST_F(Leaders, OneThatSleepsThroughItsLeaseCommitsNothingWhenItWakes) {
  const char* wanted = std::getenv("BATON_SLEEPS");
  const int sleeps = wanted ? std::atoi(wanted) : 3;
  Begin();
  FlightRecorder recorder = Recorder();
  StartTraffic();
  std::mt19937 random(20261121);
  int commits = 0;
  int elections = 0;
  std::string version;
  for (int i = 0; i < sleeps; ++i) {
    version = "v" + std::to_string(i + 2);
    const v2::Roll roll = Update(version);
    // Anywhere in the roll: a few statements after some step of it.
    const int steps = std::uniform_int_distribution(1, 3)(random);
    Await([&] {
      return CountSteps("handed_over") >= steps ||
             stack::IsOver(stack_->api().GetRoll(app_.process_guid).roll().state());
    });
    const std::size_t leader = Leader();
    const std::int64_t epoch = stack_->api().Epoch();
    stack_->batond(leader).Signal(SIGSTOP);
    ASSERT_TRUE(Await([&] { return stack_->api().Epoch() > epoch; }));
    Write();
    // It slept for longer than its lease by then: another could only lead after that.
    stack_->batond(leader).Signal(SIGCONT);
    EXPECT_EQ(EndOf(roll), v2::COMPLETED) << version;
    EXPECT_TRUE(AwaitOnly(version, app_.instances));
    const FlightReport report = recorder.Read();
    ExpectNoBreach(report);
    commits += report.commits;
    elections += report.elections;
  }
  ExpectUnnoticed();
  EXPECT_GE(elections, sleeps);
  std::cout << "leaders: " << sleeps << " sleeps, " << elections << " elections, " << commits
            << " commits, none of an older epoch after a newer one\n";
}

}  // namespace
}  // namespace baton
