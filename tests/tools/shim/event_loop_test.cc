// What the shim and the cell take for granted of their loop.
#include "tools/shim/event_loop.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "orchestrator/base/unique_fd.h"

namespace baton::shim {
namespace {

using std::chrono::milliseconds;

// A descriptor that is readable until it is taken.
UniqueFd Readable(unsigned times = 1) { return UniqueFd(eventfd(times, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE)); }
void TakeOne(int fd) {
  eventfd_t value = 0;
  EXPECT_EQ(eventfd_read(fd, &value), 0);
}

TEST(EventLoop, WhatIsPostedRunsInTheOrderOfPosting) {
  EventLoop loop;
  std::vector<int> ran;
  std::thread poster([&] {
    for (int i = 0; i < 100; ++i) loop.Post([&ran, i] { ran.push_back(i); });
    loop.Post([&loop] { loop.Stop(); });
  });
  loop.Run();
  poster.join();
  ASSERT_EQ(ran.size(), 100U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(ran[static_cast<std::size_t>(i)], i);
}

TEST(EventLoop, WhatATaskPostsRunsAfterIt) {
  EventLoop loop;
  std::string ran;
  loop.Post([&] {
    loop.Post([&] {
      ran += "posted ";
      loop.Stop();
    });
    ran += "task ";
  });
  loop.Run();
  EXPECT_EQ(ran, "task posted ");
}

TEST(EventLoop, TimersRunInTheOrderOfTheirTimesAndNotBefore) {
  EventLoop loop;
  std::string ran;
  const auto began = EventLoop::Clock::now();
  loop.At(began + milliseconds(30), [&] {
    EXPECT_GE(EventLoop::Clock::now(), began + milliseconds(30));
    ran += "third";
    loop.Stop();
  });
  loop.At(began + milliseconds(10), [&] { ran += "first "; });
  loop.At(began + milliseconds(10), [&] { ran += "second "; });
  loop.Run();
  EXPECT_EQ(ran, "first second third");
}

TEST(EventLoop, ACancelledTimerDoesNotRun) {
  EventLoop loop;
  bool ran = false;
  const auto past = EventLoop::Clock::now() - milliseconds(10);
  EventLoop::TimerId due_too = 0;
  loop.Cancel(loop.At(past, [&] { ran = true; }));
  loop.At(past, [&] { loop.Cancel(due_too); });
  due_too = loop.At(past, [&] { ran = true; });
  loop.Cancel(due_too + 100);  // no such timer
  loop.After(milliseconds(1), [&] { loop.Stop(); });
  loop.Run();
  EXPECT_FALSE(ran);
}

TEST(EventLoop, ADescriptorIsReportedForAsLongAsItIsReady) {
  EventLoop loop;
  const UniqueFd fd = Readable(3);
  int reported = 0;
  loop.Watch(fd.get(), [&] {
    TakeOne(fd.get());
    if (++reported == 3) loop.After(milliseconds(1), [&] { loop.Stop(); });
  });
  loop.Run();
  loop.Unwatch(fd.get());
  EXPECT_EQ(reported, 3);
}

// Both are ready in the same round; whichever comes first takes the other away.
TEST(EventLoop, WhatIsUnwatchedIsReportedNoMore) {
  EventLoop loop;
  const UniqueFd one = Readable(), other = Readable();
  int reported = 0;
  const auto watch = [&](const UniqueFd& fd) {
    loop.Watch(fd.get(), [&] {
      ++reported;
      loop.Unwatch(one.get());
      loop.Unwatch(other.get());
      loop.After(milliseconds(1), [&] { loop.Stop(); });
    });
  };
  watch(one);
  watch(other);
  loop.Run();
  EXPECT_EQ(reported, 1);
}

// The kernel gives a closed descriptor's number to the next one: that is not what was ready.
TEST(EventLoop, ANumberUsedAgainIsAnotherDescriptor) {
  EventLoop loop;
  UniqueFd one = Readable(), other = Readable();
  std::string reported;
  const auto replaced_by_silent = [&](UniqueFd& fd) {
    const int number = fd.get();
    loop.Unwatch(number);
    fd = UniqueFd();
    fd = UniqueFd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    ASSERT_EQ(fd.get(), number);
    loop.Watch(number, [&] { reported += "silent "; });
  };
  const auto once = [&](UniqueFd& mine, UniqueFd& others) {
    loop.Watch(mine.get(), [&] {
      reported += "ready ";
      TakeOne(mine.get());
      loop.Unwatch(mine.get());
      replaced_by_silent(others);
      loop.After(milliseconds(1), [&] { loop.Stop(); });
    });
  };
  once(one, other);
  once(other, one);
  loop.Run();
  EXPECT_EQ(reported, "ready ");
}

TEST(EventLoop, ItMayRunAgain) {
  EventLoop loop;
  int ran = 0;
  for (int i = 0; i < 2; ++i) {
    loop.Post([&] {
      ++ran;
      loop.Stop();
    });
    loop.Run();
  }
  EXPECT_EQ(ran, 2);
}

}  // namespace
}  // namespace baton::shim
