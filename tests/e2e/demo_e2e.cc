// The demo, shortened.
#include <gmock/gmock.h>

#include <iostream>

#include "tests/e2e/rolling_app.h"
#include "tools/demo/departure.h"

namespace baton {
namespace {

TEST(Demo, UpdatesUnnoticedAndRollsABadVersionBack) {
  const stack::StateDir dir;
  stack::Stack stack(
      {.dir = dir.path(), .tls = true, .batond_arguments = {"--cell-lease-ms", "3000", "--converge-ms", "1000"}});
  demo::Console console;
  stack.Start();
  demo::SceneOptions options;
  options.app.instances = 3;
  options.app.min_healthy_ms = 500;
  options.start_delay_ms = 100;
  options.crash_after_ms = 300;
  demo::Scenes scenes(stack, console, options);
  scenes.StartApp();
  scenes.StartTraffic();
  scenes.UpdateToTheNext();
  scenes.PushTheBadOne();
  scenes.LoseAMachine();
  scenes.ChangePortAndRoute();
  scenes.PushTheOneThatCrashesLate();
  scenes.LookAtWhatIsLeft();

  const demo::DemoResult& result = scenes.result();
  for (const std::string& line : scenes.FirstFailures()) ADD_FAILURE() << line;
  EXPECT_EQ(result.failed, 0);
  EXPECT_GT(result.requests, 500);
  EXPECT_EQ(result.min_serving, 3);
  EXPECT_EQ(result.good_outcome, v2::COMPLETED);
  EXPECT_GT(result.roll_floor_seconds, 3 * 0.6) << "three starts and proofs";
  EXPECT_GE(result.roll_seconds, result.roll_floor_seconds);
  EXPECT_EQ(result.bad_outcome, v2::ROLLED_BACK);
  EXPECT_EQ(result.failed_attempts, 3);
  EXPECT_EQ(result.lost_outcome, v2::COMPLETED);
  EXPECT_GT(result.lost_instances, 0);
  EXPECT_GT(result.recovered_seconds, 1.0) << "a lease has to end";
  EXPECT_EQ(result.route_change_outcome, v2::COMPLETED);
  EXPECT_EQ(result.route_change_failed, 0);
  EXPECT_EQ(result.route_change_min_serving, 3);
  EXPECT_EQ(result.late_crash_outcome, v2::ROLLED_BACK);
  EXPECT_EQ(result.late_crash_min_serving, 3);
  ASSERT_EQ(result.definitions.size(), 2u) << "v6 was one of the last two for a while";
  EXPECT_EQ(result.open_rolls, 0);
  EXPECT_GE(result.drains, 6);
  EXPECT_LE(result.longest_drain_wait_ms, demo::kDrainWaitMostMs);
  EXPECT_THAT(demo::BrokenPromises(result), ::testing::IsEmpty());
  std::cout << "scene Demo: " << result.drains << " drains, gone at most " << result.longest_drain_wait_ms.value_or(0)
            << " ms after the last answer; roll " << result.roll_seconds << " s, floor " << result.roll_floor_seconds
            << " s\n";
}

}  // namespace
}  // namespace baton
