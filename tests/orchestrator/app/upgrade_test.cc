// The loop that drives an online upgrade: only while it leads, with pauses in proportion, on after errors without a rush, and
// nobody who asked is left without an answer.
#include "orchestrator/app/leader/upgrade.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <map>

#include "tests/fakes/silent_log.h"

namespace baton {
namespace {

using Steady = std::chrono::steady_clock;

class KeptMetrics final : public Metrics {
 public:
  void Count(std::string_view, std::string_view, double) override {}
  void Set(std::string_view name, double value, std::string_view label) override {
    const std::lock_guard lock(mutex_);
    values_[std::string(name) + std::string(label)] = value;
  }
  void Observe(std::string_view, double, std::string_view) override {}
  double Value(const std::string& name) {
    const std::lock_guard lock(mutex_);
    return values_[name];
  }

 private:
  std::mutex mutex_;
  std::map<std::string, double> values_;
};

// So many steps of work, each as long as it is told; the words are kept.
class FakeUpgrader final : public Upgrader {
 public:
  Result<UpgradeView> Look() override {
    UpgradeView view;
    view.state = state;
    view.rows_left = std::max(0, work.load());
    view.shards.resize(2);
    view.shards[0].ready = true;
    return view;
  }
  Status Begin(const UpgradeWish& wish) override {
    if (refuse) return Error{ErrorKind::kFailedPrecondition, "no", {}};
    shards = wish.shards;
    state = UpgradeState::kSyncing;
    return Done{};
  }
  Status RollBack() override {
    ++rolled_back;
    return Done{};
  }
  Status Finish() override {
    ++finished;
    return Done{};
  }
  Result<bool> Step(int) override {
    ++steps;
    const auto end = Steady::now() + takes;
    while (Steady::now() < end || hold) std::this_thread::yield();
    if (failures > 0) {
      --failures;
      return Error{ErrorKind::kUnavailable, "the database does not answer", {}};
    }
    if (work > 0) --work;
    return work > 0;
  }

  std::atomic<UpgradeState> state{UpgradeState::kWaiting};
  std::atomic<int> steps{0}, work{0}, failures{0}, shards{0}, rolled_back{0}, finished{0};
  std::atomic<bool> refuse{false}, hold{false};
  Duration takes{0};
};

class UpgradeLoop : public ::testing::Test {
 protected:
  static bool Await(const std::function<bool()>& condition) {
    const auto end = Steady::now() + std::chrono::seconds(10);
    while (!condition() && Steady::now() < end) std::this_thread::yield();
    return condition();
  }
  Upgrade& Start(double share = 1, Duration look = std::chrono::hours(1)) {
    upgrade_.emplace(upgrader, log_, metrics, Upgrade::Options{.page_rows = 10, .share = share, .look = look});
    return *upgrade_;
  }
  Result<UpgradeView> Ask(Upgrade::Wish wish, UpgradeWish how = {}) {
    std::promise<Result<UpgradeView>> answer;
    upgrade_->Ask(wish, std::move(how), [&](const Result<UpgradeView>& view) { answer.set_value(view); });
    return answer.get_future().get();
  }

  FakeUpgrader upgrader;
  KeptMetrics metrics;

 private:
  SilentLog log_;
  std::optional<Upgrade> upgrade_;
};

TEST_F(UpgradeLoop, WorksOnlyWhileItLeads) {
  upgrader.work = 1'000'000'000;
  Upgrade& upgrade = Start(1, milliseconds(1));
  EXPECT_FALSE(Ask(Upgrade::Wish::kLook).ok());
  EXPECT_EQ(upgrader.steps, 0);
  upgrade.Lead();
  EXPECT_TRUE(Await([&] { return upgrader.steps > 3; }));
  upgrade.Follow();
  EXPECT_FALSE(Ask(Upgrade::Wish::kLook).ok());  // by way of its thread: the step that was under way is over
  const int steps = upgrader.steps;
  for (int asked = 0; asked < 20; ++asked) EXPECT_EQ(Ask(Upgrade::Wish::kBegin).error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(upgrader.steps, steps);
  EXPECT_EQ(upgrader.shards, 0) << "nothing was begun";
}

TEST_F(UpgradeLoop, DoesAllThereIsAndThenWaitsForAWord) {
  upgrader.work = 5;
  Upgrade& upgrade = Start();
  upgrade.Lead();
  ASSERT_TRUE(Await([&] { return upgrader.work == 0; }));
  ASSERT_TRUE(Ask(Upgrade::Wish::kLook).ok());
  EXPECT_EQ(upgrader.steps, 5) << "a look is no word";
  const auto begun = Ask(Upgrade::Wish::kBegin, {.shards = 7});
  ASSERT_TRUE(begun.ok());
  EXPECT_EQ(begun->state, UpgradeState::kSyncing) << "the answer is of after it";
  EXPECT_EQ(upgrader.shards, 7);
  EXPECT_TRUE(Await([&] { return upgrader.steps == 6; })) << "it goes to work at once";
  EXPECT_TRUE(Ask(Upgrade::Wish::kRollBack).ok() && Ask(Upgrade::Wish::kFinish).ok());
  EXPECT_EQ(upgrader.rolled_back, 1);
  EXPECT_EQ(upgrader.finished, 1);
}

TEST_F(UpgradeLoop, ARefusalIsTheAnswer) {
  upgrader.refuse = true;
  Start().Lead();
  EXPECT_EQ(Ask(Upgrade::Wish::kBegin).error().message, "no");
}

// A step of 20 ms at a quarter of the time: the next comes 60 ms after it, or later.
TEST_F(UpgradeLoop, LeavesTheRestOfTheTimeToOthers) {
  upgrader.work = 5;
  upgrader.takes = milliseconds(20);
  Upgrade& upgrade = Start(0.25);
  const auto began = Steady::now();
  upgrade.Lead();
  ASSERT_TRUE(Await([&] { return upgrader.work == 0; }));
  EXPECT_GE(Steady::now() - began, milliseconds(5 * 20 + 4 * 60 - 10));
}

TEST_F(UpgradeLoop, AnErrorIsToldAndTriedAgainWithoutARush) {
  upgrader.work = 1;
  upgrader.failures = 2;
  Upgrade& upgrade = Start(1, milliseconds(100));
  const auto began = Steady::now();
  upgrade.Lead();
  ASSERT_TRUE(Await([&] { return upgrader.failures < 2; }));
  EXPECT_EQ(Ask(Upgrade::Wish::kLook)->last_error, "the database does not answer");
  ASSERT_TRUE(Await([&] { return upgrader.work == 0; }));
  EXPECT_GE(Steady::now() - began, milliseconds(200));
  EXPECT_EQ(upgrader.steps, 3);
  EXPECT_EQ(Ask(Upgrade::Wish::kLook)->last_error, "") << "it went well since";
}

TEST_F(UpgradeLoop, AnotherLeadershipBeginsAtOnce) {
  Upgrade& upgrade = Start();
  for (int led = 1; led <= 3; ++led) {
    upgrade.Lead();
    EXPECT_TRUE(Await([&] { return upgrader.steps == led; }));
    upgrade.Follow();
  }
}

TEST_F(UpgradeLoop, WhoWaitsWhenItStopsIsAnswered) {
  upgrader.hold = true;
  Upgrade& upgrade = Start();
  upgrade.Lead();
  ASSERT_TRUE(Await([&] { return upgrader.steps == 1; }));
  std::promise<Result<UpgradeView>> waits;
  upgrade.Ask(Upgrade::Wish::kFinish, {}, [&](const Result<UpgradeView>& view) { waits.set_value(view); });
  auto stopping = std::async(std::launch::async, [&] { upgrade.Stop(); });
  std::atomic<bool> refused = false;
  // From the moment that it stops it takes none any more; those before are answered by its thread.
  std::atomic<int> asked = 0, answered = 0;
  while (!refused) {
    const auto thread = std::this_thread::get_id();
    ++asked;
    upgrade.Ask(Upgrade::Wish::kLook, {}, [&, thread](const Result<UpgradeView>&) {
      ++answered;
      if (std::this_thread::get_id() == thread) refused = true;
    });
    std::this_thread::yield();
  }
  upgrader.hold = false;
  stopping.get();
  EXPECT_EQ(waits.get_future().get().error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(answered, asked);
  EXPECT_EQ(upgrader.finished, 0);
}

TEST_F(UpgradeLoop, MetricsSayWhereItIs) {
  upgrader.state = UpgradeState::kSyncing;
  Upgrade& upgrade = Start();
  upgrade.Lead();
  ASSERT_TRUE(Await([&] { return metrics.Value("baton_upgrade_stateSYNCING") == 1; }));
  EXPECT_EQ(metrics.Value("baton_upgrade_stateWAITING"), 0);
  EXPECT_TRUE(Await([&] { return metrics.Value("baton_upgrade_shards_pending") == 1; }));
}

}  // namespace
}  // namespace baton
