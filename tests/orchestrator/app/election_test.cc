// Who stands for election by a database that does not always answer.
#include "orchestrator/app/leader/election.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/fakes/silent_log.h"

namespace baton {
namespace {

using Clock = std::chrono::steady_clock;

// One lease; while it is cut off its calls do not come back, as where packets are dropped.
class CutLease final : public LeaseStore {
 public:
  Result<std::optional<std::int64_t>> Take(Duration) override {
    Wait();
    return std::optional<std::int64_t>(++epoch);
  }
  Result<bool> Renew(std::int64_t, Duration) override {
    Wait();
    ++renewals;
    return !another;
  }
  Status Resign(std::int64_t) override {
    Wait();
    ++resigned;
    return Done{};
  }
  Result<std::optional<LeaseView>> Read() override {
    Wait();
    if (broken) return Error{ErrorKind::kDataLoss, "a row cannot be read", {}};
    std::optional<LeaseView> view;
    if (another) view = LeaseView{epoch, "another", "b:1", true, milliseconds(remaining_ms)};
    ++reads;
    return view;
  }

  void Cut(bool cut) {
    cut_ = cut;
    cut_.notify_all();
  }
  std::atomic<bool> another{false}, broken{false};
  std::atomic<int> remaining_ms{1000}, renewals{0}, resigned{0}, reads{0};
  std::atomic<std::int64_t> epoch{0};

 private:
  void Wait() const { cut_.wait(true); }

  std::atomic<bool> cut_{false};
};

class ElectionTest : public ::testing::Test {
 protected:
  void TearDown() override { store_.Cut(false); }
  static bool Await(const std::function<bool()>& condition) {
    const auto end = Clock::now() + std::chrono::seconds(20);
    while (!condition() && Clock::now() < end) std::this_thread::yield();
    return condition();
  }
  void Stand(Duration poll = milliseconds(5)) {
    election_.emplace(store_, log_,
                      Election::Timing{.lease = seconds(1), .renew = milliseconds(10), .poll = poll, .margin = milliseconds(100)},
                      Election::Events{.elected =
                                           [this](auto, auto until) {
                                             until_ = until;
                                             leads_ = true;
                                           },
                                       .renewed = [this](auto until) { until_ = until; },
                                       .deposed =
                                           [this] {
                                             deposed_at_ = Clock::now();
                                             leads_ = false;
                                             ++deposed_;
                                           },
                                       .may_stand = {},
                                       .looked =
                                           [this](const auto&, const Status& may_stand) {
                                             const std::lock_guard lock(mutex_);
                                             why_ = may_stand ? "" : may_stand.error().message;
                                           }});
  }

  std::string Why() {
    const std::lock_guard lock(mutex_);
    return why_;
  }

  std::mutex mutex_;
  std::string why_;  // of the last look
  SilentLog log_;
  CutLease store_;
  std::atomic<bool> leads_{false};
  std::atomic<int> deposed_{0};
  std::atomic<Clock::time_point> until_{}, deposed_at_{};
  std::optional<Election> election_;
};

// It was believed to lead for as long as TCP was patient, and kept its cells and routers for itself.
TEST_F(ElectionTest, ALeaderWhoseDatabaseDoesNotAnswerIsDeposedWhenItsLeaseEnds) {
  Stand();
  ASSERT_TRUE(Await([&] { return leads_ && store_.renewals > 2; }));
  const int deposed = deposed_;
  store_.Cut(true);
  ASSERT_TRUE(Await([&] { return deposed_ > deposed; }));
  EXPECT_GE(deposed_at_.load(), until_.load());
  EXPECT_FALSE(leads_);
  store_.Cut(false);
  EXPECT_TRUE(Await([&] { return leads_.load(); })) << "it answers again";
}

// What it asked for came true when nobody waited for it any more: the lease would be held for nobody.
TEST_F(ElectionTest, ARenewalThatComesTooLateIsGivenUp) {
  Stand();
  ASSERT_TRUE(Await([&] { return leads_ && store_.renewals > 2; }));
  const int resigned = store_.resigned;
  const int deposed = deposed_;
  store_.Cut(true);
  ASSERT_TRUE(Await([&] { return deposed_ > deposed; }));
  store_.Cut(false);
  EXPECT_TRUE(Await([&] { return store_.resigned > resigned; }));
}

TEST_F(ElectionTest, WhoIsToldToStopWhileNothingAnswersIsDeposedBeforeItAnswers) {
  Stand();
  ASSERT_TRUE(Await([&] { return leads_.load(); }));
  store_.Cut(true);
  std::thread stop([this] { election_.reset(); });
  EXPECT_TRUE(Await([&] { return !leads_; }));
  store_.Cut(false);
  stop.join();
}

TEST_F(ElectionTest, TheEndOfAnothersLeaseIsNotSleptThrough) {
  store_.another = true;
  store_.remaining_ms = 20;
  Stand(std::chrono::hours(1));
  ASSERT_TRUE(Await([&] { return store_.reads > 0; }));
  store_.another = false;
  EXPECT_TRUE(Await([&] { return leads_.load(); }));
}

// It stood again at once, twenty times a second, and only the log said why it never led.
TEST_F(ElectionTest, WhoGivesUpRestsAndSaysWhy) {
  Stand();
  ASSERT_TRUE(Await([&] { return leads_.load(); }));
  const std::int64_t epoch = store_.epoch;
  const int resigned = store_.resigned;
  election_->GiveUp("a table is missing", seconds(30));
  ASSERT_TRUE(Await([&] { return Why() == "a table is missing"; })) << Why();
  const int reads = store_.reads;
  ASSERT_TRUE(Await([&] { return store_.reads > reads + 20; }));
  EXPECT_EQ(store_.epoch, epoch);
  EXPECT_GT(store_.resigned, resigned) << "another may lead meanwhile";
}

TEST_F(ElectionTest, WhoHasRestedStandsAgain) {
  Stand();
  ASSERT_TRUE(Await([&] { return leads_.load(); }));
  const std::int64_t epoch = store_.epoch;
  election_->GiveUp("a table is missing", milliseconds(20));
  EXPECT_TRUE(Await([&] { return leads_ && store_.epoch > epoch; }));
}

TEST_F(ElectionTest, WhoCannotTellWhoLeadsSaysWhy) {
  store_.broken = true;
  Stand();
  EXPECT_TRUE(Await([&] { return Why() == "a row cannot be read"; })) << Why();
  store_.broken = false;
  EXPECT_TRUE(Await([&] { return leads_.load(); }));
}

TEST_F(ElectionTest, WhoIsToldToStopResigns) {
  Stand();
  ASSERT_TRUE(Await([&] { return leads_.load(); }));
  const int resigned = store_.resigned;
  election_.reset();
  EXPECT_GT(store_.resigned, resigned);
  EXPECT_FALSE(leads_);
}

}  // namespace
}  // namespace baton
