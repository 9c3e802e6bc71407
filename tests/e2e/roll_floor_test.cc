#include "tools/demo/roll_floor.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr demo::RollNeeds kNeeds{.start_ms = 500, .min_healthy_ms = 2000, .bake_ms = 0, .request_ms = 800};

TEST(RollFloor, IsStartProofAndDrainOfEachSlot) {
  EXPECT_DOUBLE_EQ(demo::FloorSeconds({{.drain_ms = 800}, {.drain_ms = 300}}, kNeeds), 2 * 2.5 + 0.8 + 0.3);
}

TEST(RollFloor, TheLastDrainIsPartOfTheBakeTime) {
  demo::RollNeeds needs = kNeeds;
  needs.bake_ms = 2000;
  EXPECT_DOUBLE_EQ(demo::FloorSeconds({{.drain_ms = 800}, {.drain_ms = 300}}, needs), 2 * 2.5 + 0.8 + 2.0);
  needs.bake_ms = 100;
  EXPECT_DOUBLE_EQ(demo::FloorSeconds({{.drain_ms = 800}, {.drain_ms = 300}}, needs), 2 * 2.5 + 0.8 + 0.3);
}

TEST(RollFloor, DoesNotRiseWithWhatBatonWaits) {
  EXPECT_DOUBLE_EQ(demo::FloorSeconds({{.drain_ms = 300, .wait_ms = 9700, .gone_at = 20 * kSecond}}, kNeeds),
                   2.5 + 0.3);
}

TEST(RollFloor, TrafficThatWasLateItselfCountsAsTheLongestRequest) {
  EXPECT_DOUBLE_EQ(demo::FloorSeconds({{.drain_ms = 1900}}, kNeeds), 2.5 + 0.8);
}

TEST(RollSeconds, LastUntilTheLastOldInstanceIsGone) {
  v2::Roll roll;
  roll.set_opened_at(90 * kSecond);
  roll.set_finished_at(100 * kSecond);
  EXPECT_DOUBLE_EQ(demo::RollSeconds(roll, {}), 10);
  EXPECT_DOUBLE_EQ(demo::RollSeconds(roll, {{.gone_at = 99 * kSecond}}), 10);
  EXPECT_DOUBLE_EQ(demo::RollSeconds(roll, {{.gone_at = 102 * kSecond}, {.gone_at = 101 * kSecond}}), 12);
}

}  // namespace
}  // namespace baton
