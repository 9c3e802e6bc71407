// When a ticker ticks, and how it ends. What never comes is seen by the time limit of the test.
#include "orchestrator/base/ticker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <semaphore>
#include <vector>

namespace baton {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using Steady = std::chrono::steady_clock;

TEST(TickerTest, TicksWhenItsTimeHasCome) {
  const auto began = Steady::now();
  std::vector<Ticker::Wait> at;
  std::binary_semaphore third{0};
  Ticker ticker(milliseconds(5), [&]() -> Ticker::Wait {
    at.push_back(Steady::now() - began);
    if (at.size() < 3) return milliseconds(5);
    third.release();
    return hours(1);
  });
  third.acquire();
  ticker.Stop();
  ASSERT_EQ(at.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_GE(at[i], milliseconds(5) * (i + 1));
}

TEST(TickerTest, AWaitThatIsOverIsNoWait) {
  std::binary_semaphore third{0};
  int ticks = 0;
  const Ticker ticker(-Steady::now().time_since_epoch(), [&]() -> Ticker::Wait {
    if (++ticks == 3) third.release();
    return ticks < 3 ? Ticker::Wait(0) : Ticker::kUntilWoken;
  });
  third.acquire();
}

TEST(TickerTest, TicksAtOnceWhenItIsWoken) {
  for (const Ticker::Wait wait : {Ticker::Wait(hours(1)), Ticker::kUntilWoken}) {
    std::counting_semaphore ticked{0};
    Ticker ticker(wait, [&] { return ticked.release(), wait; });
    for (int i = 0; i < 1000; ++i) {
      ticker.Wake();
      ticked.acquire();
    }
  }
}

TEST(TickerTest, WakeUpsDuringATickAreOneMoreTick) {
  std::binary_semaphore begun{0}, go_on{0}, second{0};
  int ticks = 0;
  Ticker ticker(Ticker::Wait(0), [&] {
    if (++ticks == 1) {
      begun.release();
      go_on.acquire();
    } else {
      second.release();
    }
    return Ticker::kUntilWoken;
  });
  begun.acquire();
  for (int i = 0; i < 3; ++i) ticker.Wake();
  go_on.release();
  second.acquire();
  ticker.Stop();
  EXPECT_EQ(ticks, 2);
}

// What was changed before a wake-up is seen by a tick, whoever else wakes it.
TEST(TickerTest, NoWakeUpIsMissedWhileManyWakeIt) {
  constexpr int kEach = 2000;
  std::atomic<int> changes = 0, seen = 0;
  Ticker ticker(Ticker::kUntilWoken, [&] {
    seen = changes.load();
    seen.notify_all();
    return Ticker::kUntilWoken;
  });
  const auto change = [&] {
    for (int i = 0; i < kEach; ++i) {
      ++changes;
      ticker.Wake();
    }
  };
  { const std::jthread one(change), other(change); }
  for (int last = seen; last < 2 * kEach; last = seen) seen.wait(last);
  EXPECT_EQ(seen, 2 * kEach);
}

TEST(TickerTest, StopDoesNotWaitForTheTime) {
  for (const Ticker::Wait wait : {Ticker::Wait(hours(1)), Ticker::kUntilWoken}) {
    for (int i = 0; i < 200; ++i) {
      Ticker ticker(wait, [wait] { return wait; });
      ticker.Stop();
      EXPECT_TRUE(ticker.stopping());
    }
  }
}

TEST(TickerTest, ARestInATickEndsWithItsTimeOrWithTheTicker) {
  std::binary_semaphore rested{0};
  Ticker::Wait took{};
  bool goes_on = false, stopped = false;
  Ticker ticker(Ticker::kUntilWoken, [&]() -> Ticker::Wait {
    const auto began = Steady::now();
    goes_on = ticker.Rest(milliseconds(5));
    took = Steady::now() - began;
    rested.release();
    stopped = !ticker.Rest(hours(1));
    return Ticker::kUntilWoken;
  });
  ticker.Wake();
  rested.acquire();
  ticker.Wake();  // which does not end it
  ticker.Stop();
  EXPECT_TRUE(goes_on);
  EXPECT_GE(took, milliseconds(5));
  EXPECT_TRUE(stopped);
}

TEST(TickerTest, StopWaitsForTheTickThatIsUnderWay) {
  std::binary_semaphore begun{0};
  std::atomic<bool> over = false;
  Ticker ticker(Ticker::kUntilWoken, [&]() -> Ticker::Wait {
    begun.release();
    while (!ticker.stopping()) std::this_thread::yield();
    over = true;
    return Ticker::Wait(0);
  });
  ticker.Wake();
  begun.acquire();
  ticker.Stop();
  EXPECT_TRUE(over);
}

TEST(TickerTest, AfterStopNothingTicks) {
  std::atomic<int> ticks = 0;
  Ticker ticker(Ticker::kUntilWoken, [&]() -> Ticker::Wait { return ++ticks, Ticker::Wait(0); });
  ticker.Stop();
  ticker.Wake();
  ticker.Stop();
  EXPECT_EQ(ticks, 0);
}

TEST(TickerTest, ATickStopsItAndDoesNotWaitForItself) {
  std::binary_semaphore stopped{0};
  int ticks = 0, lasts = 0;
  {
    Ticker ticker(
        Ticker::Wait(0),
        [&] {
          ++ticks;
          ticker.Wake();
          ticker.Stop();
          stopped.release();
          return Ticker::Wait(0);
        },
        [&] { ++lasts; });
    stopped.acquire();
  }
  EXPECT_EQ(ticks, 1);
  EXPECT_EQ(lasts, 1);
}

TEST(TickerTest, LastComesAfterAllTicksOnTheirThread) {
  std::vector<std::thread::id> calls;
  std::binary_semaphore ticked{0};
  Ticker ticker(
      Ticker::Wait(0),
      [&] {
        calls.push_back(std::this_thread::get_id());
        ticked.release();
        return Ticker::kUntilWoken;
      },
      [&] {
        EXPECT_TRUE(ticker.stopping());
        calls.push_back(std::this_thread::get_id());
      });
  ticked.acquire();
  ticker.Stop();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0], calls[1]);
  EXPECT_NE(calls[0], std::this_thread::get_id());
}

// As an owner has it: its last member. A tick or `last` that came later would touch what is gone.
TEST(TickerTest, TheDestructorEndsTheThread) {
  struct Owner {
    std::unique_ptr<int> ticks = std::make_unique<int>(0);
    Ticker ticker{Ticker::Wait(0), [this]() -> Ticker::Wait { return ++*ticks, milliseconds(0); },
                  [this] { ++*ticks; }};
  };
  for (int i = 0; i < 200; ++i) Owner owner;
}

}  // namespace
}  // namespace baton
