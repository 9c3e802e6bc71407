// The stack itself: it leaves nothing behind, and says which part failed.
#include "tools/stack/stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/processes.h"
#include "tools/stack/hello_app.h"
#include "tools/stack/stack_error.h"
#include "tools/stack/state_dir.h"

namespace baton {
namespace {

void StartWithApp(Stack& stack) {
  stack.Start();
  HelloApp app;
  app.instances = 3;
  app.min_healthy_ms = 100;
  app.program = stack.bin_dir() + "/hello";
  const v2::Roll roll = stack.api().Desire(DesiredHello(app, HelloDefinition(app, "v1")));
  ASSERT_EQ(stack.api().WatchRoll(roll.roll_id(), [](const auto&, const auto&) {}).state(), v2::COMPLETED);
}

TEST(StackStop, LeavesNothingBehind) {
  const StateDir dir;
  Stack stack({.dir = dir.path()});
  StartWithApp(stack);
  // batond, PostgreSQL, two cells, three shims with their apps, the router, HAProxy's two.
  EXPECT_GE(ProcessesOf(dir.path()).size(), 10u);
  stack.Stop();
  EXPECT_THAT(ProcessesOf(dir.path()), ::testing::IsEmpty());
}

TEST(StackStop, LeavesNothingBehindOfWhatWasKilled) {
  const StateDir dir;
  Stack stack({.dir = dir.path()});
  StartWithApp(stack);
  stack.KillRouter();
  stack.KillCell(1);
  stack.KillCell(2);
  stack.KillBatond();
  EXPECT_GE(ProcessesOf(dir.path()).size(), 6u);
  stack.Stop();
  EXPECT_THAT(ProcessesOf(dir.path()), ::testing::IsEmpty());
}

TEST(StackStart, SaysWhichPartFailedAndWhatItWrote) {
  const StateDir dir;
  Stack stack({.dir = dir.path(), .batond_arguments = {"--history", "many"}});
  try {
    stack.Start();
    FAIL() << "it started";
  } catch (const StackError& error) {
    EXPECT_THAT(error.what(),
                ::testing::AllOf(::testing::HasSubstr("batond ended instead of coming up; it exited with "
                                                      "status 2"),
                                 ::testing::HasSubstr(dir.path() + "/batond.log"), ::testing::HasSubstr("--history")));
  }
}

}  // namespace
}  // namespace baton
