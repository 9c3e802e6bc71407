#include "tools/router/haproxy/drain_times.h"

#include <gtest/gtest.h>

namespace baton::router {
namespace {

using std::chrono::seconds;

TEST(DrainTimes, AreFromTheFirstTableUntilTheReport) {
  DrainTimes times;
  const DrainTimes::Time start{};
  times.Drain({"i1"}, start);
  times.Drain({"i1", "i2"}, start + seconds(2));
  EXPECT_EQ(times.Drained("i1", start + seconds(5)), std::chrono::duration<double>(5));
  EXPECT_EQ(times.Drained("i2", start + seconds(5)), std::chrono::duration<double>(3));
}

// A new stream hears of each again.
TEST(DrainTimes, ADrainIsToldOnce) {
  DrainTimes times;
  const DrainTimes::Time start{};
  times.Drain({"i1"}, start);
  EXPECT_TRUE(times.Drained("i1", start + seconds(1)));
  times.Drain({"i1"}, start + seconds(2));
  EXPECT_FALSE(times.Drained("i1", start + seconds(3)));
  EXPECT_FALSE(times.Drained("i2", start + seconds(3))) << "one that does not drain";
}

TEST(DrainTimes, OneThatServedInBetweenDrainsAnew) {
  DrainTimes times;
  const DrainTimes::Time start{};
  times.Drain({"i1"}, start);
  times.Drain({}, start + seconds(10));
  times.Drain({"i1"}, start + seconds(20));
  EXPECT_EQ(times.Drained("i1", start + seconds(21)), std::chrono::duration<double>(1));
}

}  // namespace
}  // namespace baton::router
