#include "tools/demo/roll_times.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

v2::RollStep Step(const std::string& kind, std::int64_t start_ms, std::int64_t stop_ms) {
  v2::RollStep step;
  step.set_kind(kind);
  step.set_start_ms(start_ms);
  step.set_stop_ms(stop_ms);
  return step;
}

TEST(RollTimes, FloorIsStartProofAndDrainOfEachSlot) {
  RollTimes times;
  times.Add({Step("surged", 0, 0), Step("handed_over", 300, 0), Step("retired", 0, 900)});
  times.Add({Step("handed_over", 500, 0)});
  v2::ActualLRP last;
  last.set_retiring_since(100 * kSecond);
  times.AddLast({last}, 101 * kSecond);
  EXPECT_EQ(times.slots(), 2);
  EXPECT_EQ(times.starts_ms(), 800);
  EXPECT_EQ(times.drains_ms(), 1900);
  EXPECT_DOUBLE_EQ(times.FloorSeconds(2000, 0), 0.8 + 1.9 + 2 * 2.0);
  EXPECT_DOUBLE_EQ(times.FloorSeconds(2000, 2500), 0.8 + 1.9 + 2 * 2.0 + 1.5) << "the last drain is part of the bake time";
}

TEST(RollTimes, RollLastsUntilTheLastOldInstanceIsGone) {
  v2::Roll roll;
  roll.set_opened_at(90 * kSecond);
  roll.set_finished_at(100 * kSecond);
  RollTimes times;
  EXPECT_DOUBLE_EQ(times.Seconds(roll), 10);
  times.AddLast({}, 102 * kSecond);
  EXPECT_DOUBLE_EQ(times.Seconds(roll), 12);
}

TEST(RollTimes, CountsFailedAttempts) {
  RollTimes times;
  times.Add({Step("attempt_failed", 0, 0), Step("withdrawn", 0, 0), Step("attempt_failed", 0, 0)});
  EXPECT_EQ(times.failed_attempts(), 2);
  EXPECT_EQ(times.slots(), 0);
}

}  // namespace
}  // namespace baton
