// When the outbox's end is looked at. Each wait is met many times, so that the one that is too long is seen as seconds.
#include "orchestrator/app/leader/event_tail.h"

#include <gtest/gtest.h>

#include "tests/fakes/no_metrics.h"
#include "tests/fakes/silent_log.h"

namespace baton {
namespace {

using Steady = std::chrono::steady_clock;

class EventTailTest : public ::testing::Test {
 protected:
  // What is written is settled, but for what stands behind a gap.
  class Outbox final : public EventLog {
   public:
    explicit Outbox(EventTailTest& test) : test_(test) {}
    Result<Batch> Next(int) override {
      const std::lock_guard lock(test_.mutex_);
      ++test_.looks_;
      test_.changed_.notify_all();
      Batch batch{.events = {}, .settled = test_.written_, .waiting = test_.gap_};
      if (begun_ && !test_.gap_) {
        for (; told_ < test_.written_; ++told_) batch.events.push_back({.sequence = told_ + 1});
      }
      begun_ = true;
      return batch;
    }

   private:
    EventTailTest& test_;
    bool begun_ = false;
    std::int64_t told_ = 0;
  };

  EventTailTest() {
    tail_.emplace(
        [this] { return std::make_unique<Outbox>(*this); }, log_, metrics_,
        EventTail::Handlers{.begin = [this](std::int64_t settled) { Begin(settled); },
                            .take = [this](const std::vector<EventRow>& events, std::int64_t) { Take(events); },
                            .tick = [] {},
                            .end = [] {}});
    tail_->Lead();
    AwaitLooks(1);
  }
  void Begin(std::int64_t settled) {
    const std::lock_guard lock(mutex_);
    begun_at_ = settled;
    changed_.notify_all();
  }
  void Take(const std::vector<EventRow>& events) {
    const std::lock_guard lock(mutex_);
    told_ += static_cast<std::int64_t>(events.size());
    changed_.notify_all();
  }
  void Write() {
    const std::lock_guard lock(mutex_);
    ++written_;
  }
  // All that was written is told.
  bool AwaitTold() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [this] { return told_ == written_; });
  }
  void AwaitLooks(int more) {
    std::unique_lock lock(mutex_);
    const int wanted = looks_ + more;
    ASSERT_TRUE(changed_.wait_for(lock, std::chrono::seconds(20), [&] { return looks_ >= wanted; }));
  }

  SilentLog log_;
  NoMetrics metrics_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t written_ = 0, told_ = 0, begun_at_ = 0;
  int looks_ = 0;
  bool gap_ = false;
  std::optional<EventTail> tail_;
};

// 40 looks of 250 ms each are ten seconds.
TEST_F(EventTailTest, AWakeUpIsFollowedAtOnce) {
  const auto began = Steady::now();
  for (int i = 0; i < 40; ++i) {
    Write();
    tail_->Wake();
    ASSERT_TRUE(AwaitTold());
  }
  EXPECT_LT(Steady::now() - began, std::chrono::seconds(5));
}

TEST_F(EventTailTest, AWakeUpThatIsLostCostsAQuarterOfASecond) {
  AwaitLooks(1);
  const auto began = Steady::now();
  Write();
  ASSERT_TRUE(AwaitTold());
  AwaitLooks(2);
  EXPECT_GE(Steady::now() - began, milliseconds(500)) << "it looks again and again where nothing happens";
}

// 50 looks of 250 ms each are more than twelve seconds.
TEST_F(EventTailTest, AGapIsLookedAtAgainAtOnceUntilItIsFilled) {
  {
    const std::lock_guard lock(mutex_);
    gap_ = true;
  }
  Write();
  tail_->Wake();
  const auto began = Steady::now();
  AwaitLooks(50);
  EXPECT_LT(Steady::now() - began, std::chrono::seconds(6));
  {
    const std::lock_guard lock(mutex_);
    gap_ = false;
  }
  EXPECT_TRUE(AwaitTold());
}

// What is written behind a gap is not settled: who begins there would never be told what fills it.
TEST_F(EventTailTest, ItBeginsWhereNothingIsWaitedFor) {
  tail_->Follow();
  {
    const std::lock_guard lock(mutex_);
    written_ = 7;
    gap_ = true;
  }
  tail_->Lead();
  AwaitLooks(10);
  std::unique_lock lock(mutex_);
  EXPECT_EQ(begun_at_, 0) << "by the reign before";
  gap_ = false;
  EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(20), [this] { return begun_at_ == 7; }));
}

}  // namespace
}  // namespace baton
