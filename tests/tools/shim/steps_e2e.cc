// What the kinds of actions mean, seen from outside a real shim.
#include <gtest/gtest.h>

#include "tests/tools/shim/shim_run.h"
#include "tests/tools/shim/wait.h"

namespace baton::shim {
namespace {

using testing::kSleeps;
using testing::Sh;
using testing::ShimRun;

TEST(Steps, RunsSetupThenActionAndTellsTheTrueExitStatus) {
  ShimRun run("setup { " + Sh("echo made > made; echo setting up") + " } action { " +
              Sh("cat made; echo to stderr >&2; exit 7") + " }");
  ASSERT_EQ(run.Start(), 0);
  const ShimState last = run.Finish();
  EXPECT_EQ(last.exit_status, 7);
  EXPECT_EQ(last.reason, "action: run /bin/sh exited with status 7");
  EXPECT_EQ(last.failed_action, "action: run /bin/sh");
  EXPECT_EQ(last.last_output, "setting up\nmade\nto stderr\n");
  EXPECT_EQ(run.log(), last.last_output);
  EXPECT_GE(last.ended_at_ms, last.running_at_ms);
  EXPECT_GE(last.running_at_ms, last.started_at_ms);
}

TEST(Steps, ActionThatEndsWellHasEndedAllTheSame) {
  ShimRun run("action { " + Sh("true") + " }");
  ASSERT_EQ(run.Start(), 0);
  const ShimState last = run.Finish();
  EXPECT_EQ(last.exit_status, 0);
  EXPECT_EQ(last.reason, "action exited with status 0");
}

TEST(Steps, FailedSetupKeepsTheActionFromRunning) {
  ShimRun run("setup { " + Sh("exit 3") + " } action { " + Sh("touch ran") + " }");
  ASSERT_EQ(run.Start(), 0);
  const ShimState last = run.Finish();
  EXPECT_EQ(last.exit_status, 3);
  EXPECT_EQ(last.failed_action, "setup: run /bin/sh");
  EXPECT_EQ(last.running_at_ms, 0);
  EXPECT_EQ(run.RootFile("ran"), "(none)");
}

TEST(Steps, DeathBySignalIsANegativeStatus) {
  ShimRun run("action { " + Sh("kill -11 $$") + " }");
  ASSERT_EQ(run.Start(), 0);
  const ShimState last = run.Finish();
  EXPECT_EQ(last.exit_status, -11);
  EXPECT_EQ(last.reason, "action: run /bin/sh was killed by signal 11 (SIGSEGV)");
}

TEST(Steps, ProgramThatIsNotThereIsSaidSo) {
  ShimRun run("action { run_action { path: '/no/such/program' } }");
  ASSERT_EQ(run.Start(), 0);
  const ShimState last = run.Finish();
  EXPECT_EQ(last.exit_status, std::nullopt);
  EXPECT_EQ(last.reason, "action: run /no/such/program: cannot be executed: No such file or directory");
}

TEST(Steps, SerialEndsAtTheFirstFailure) {
  ShimRun run("action { serial_action { actions { " + Sh("echo one") + " } actions { " + Sh("echo two; exit 5") +
              " } actions { " + Sh("echo three") + " } } }");
  ASSERT_EQ(run.Start(), 0);
  EXPECT_EQ(run.Finish().exit_status, 5);
  EXPECT_EQ(run.log(), "one\ntwo\n");
}

TEST(Steps, ParallelWaitsForAllAndFailsIfOneFails) {
  // Each waits for the other's file, so they can only end side by side; the failure ends first.
  ShimRun run(
      "setup { parallel_action { actions { " +
      Sh("touch a; while [ ! -e b ]; do :; done; (while kill -0 $$ 2>/dev/null; do :; done; touch c) & exit 4") +
      " } actions { " + Sh("touch b; while [ ! -e a ]; do :; done; while [ ! -e c ]; do :; done; echo late") +
      " } } } action { " + Sh("touch ran") + " }");
  ASSERT_EQ(run.Start(), 0);
  EXPECT_EQ(run.Finish().exit_status, 4);
  EXPECT_EQ(run.log(), "late\n");
  EXPECT_EQ(run.RootFile("ran"), "(none)");
}

TEST(Steps, TryIgnoresFailure) {
  ShimRun run("setup { try_action { action { " + Sh("exit 9") + " } } } action { " + Sh("echo ran; exit 1") + " }");
  ASSERT_EQ(run.Start(), 0);
  EXPECT_EQ(run.Finish().exit_status, 1);
  EXPECT_EQ(run.log(), "ran\n");
}

TEST(Steps, TimeoutStopsAndFails) {
  ShimRun run("setup { timeout_action { timeout_ms: 200 action { " +
              Sh("trap 'echo asked; exit 0' TERM; sleep 100 & wait") + " } } } action { " + Sh("touch ran") + " }");
  ASSERT_EQ(run.Start(), 0);
  const ShimState last = run.Finish();
  EXPECT_EQ(last.reason, "timeout: not done within 200 ms");
  EXPECT_EQ(run.log(), "asked\n");
  EXPECT_EQ(run.RootFile("ran"), "(none)");
}

TEST(Steps, OldTimeoutInNanosecondsCountsToo) {
  ShimRun run("setup { timeout_action { deprecated_timeout_ns: 150000000 action { " + Sh("sleep 100") +
              " } } } action { " + Sh("true") + " }");
  ASSERT_EQ(run.Start(), 0);
  EXPECT_EQ(run.Finish().reason, "timeout: not done within 150 ms");
}

TEST(Steps, WhatEndsWithinItsTimeoutIsNotFailedByIt) {
  ShimRun run("setup { timeout_action { timeout_ms: 60000 action { " + Sh("true") + " } } } action { " + Sh("exit 6") +
              " }");
  ASSERT_EQ(run.Start(), 0);
  EXPECT_EQ(run.Finish().exit_status, 6);
}

TEST(Steps, FirstEndOfCodependentsStopsTheOthersAndFails) {
  ShimRun run("setup { codependent_action { actions { " + Sh("while [ ! -e up ]; do :; done; exit 0") +
              " } actions { " + Sh("trap 'echo asked; exit 0' TERM; " + kSleeps + "touch up; wait") + " } } } action { " +
              Sh("touch ran") + " }");
  ASSERT_EQ(run.Start(), 0);
  const ShimState last = run.Finish();
  EXPECT_EQ(last.exit_status, 0);
  EXPECT_EQ(last.reason, "setup exited with status 0");
  EXPECT_EQ(run.log(), "asked\n");
  EXPECT_EQ(run.RootFile("ran"), "(none)");
}

TEST(Steps, EndOfASidecarEndsTheInstance) {
  ShimRun run("action { " + Sh("trap 'echo action asked; exit 0' TERM; " + kSleeps + "touch up; wait") +
              " } sidecars { action { " + Sh("while [ ! -e up ]; do :; done; exit 8") + " } }");
  ASSERT_EQ(run.Start(), 0);
  const ShimState last = run.Finish();
  EXPECT_EQ(last.exit_status, 8);
  EXPECT_EQ(last.failed_action, "sidecar 1: run /bin/sh");
  EXPECT_EQ(run.log(), "action asked\n");
}

TEST(Steps, ProgressIsWrittenToTheLog) {
  ShimRun run("setup { emit_progress_action { start_message: 'staging' success_message: 'staged' action { " +
              Sh("true") + " } } } action { emit_progress_action { failure_message_prefix: 'no luck' action { " +
              Sh("exit 2") + " } } }");
  ASSERT_EQ(run.Start(), 0);
  EXPECT_EQ(run.Finish().exit_status, 2);
  EXPECT_EQ(run.log(), "staging\nstaged\nno luck: action: run /bin/sh exited with status 2\n");
}

TEST(Steps, UploadIsRefusedByName) {
  ShimRun run("setup { upload_action { from: 'a' to: 'b' } } action { " + Sh("true") + " }");
  ASSERT_EQ(run.Start(), 0);
  EXPECT_EQ(run.Finish().reason, "setup: upload is not supported");
}

TEST(Steps, EnvironmentOfCellWinsOverActionOverDefinition) {
  Launch launch;
  launch.environment = {{"PORT", "61001"}};
  ShimRun run(
      "environment_variables { name: 'A' value: 'definition' } environment_variables { name: 'B' value: 'definition' } "
      "environment_variables { name: 'PORT' value: '8080' } "
      "action { run_action { path: 'sh' args: '-c' args: 'echo $A $B $PORT $HOME; pwd; exit 1' "
      "env { name: 'B' value: 'action' } dir: 'sub' } } setup { " +
          Sh("mkdir sub") + " }",
      launch);
  ASSERT_EQ(run.Start(), 0);
  run.Finish();
  EXPECT_EQ(run.log(), "definition action 61001 " + run.dir().Root() + "\n" + run.dir().Root() + "/sub\n");
}

TEST(Steps, OpenFilesAreLimitedAndStrangeUsersRefused) {
  ShimRun limited(
      "action { run_action { path: '/bin/sh' args: '-c' args: 'ulimit -n' resource_limits { nofile: 77 } } }");
  ASSERT_EQ(limited.Start(), 0);
  limited.Finish();
  EXPECT_EQ(limited.log(), "77\n");
  ShimRun strange("action { run_action { path: '/bin/true' user: 'nobody-knows-him' } }");
  ASSERT_EQ(strange.Start(), 0);
  EXPECT_EQ(strange.Finish().reason, "there is no user nobody-knows-him on this machine");
}

TEST(Steps, RootCanRunAsAnotherUserWhoOwnsTheRoot) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can";
  ShimRun run(
      "volume_mounted_files { path: 'secret/key' content: 's' } action { run_action { path: '/bin/sh' user: "
      "'nobody' args: '-c' args: 'id -un; touch mine; cat secret/key; exit 1' } }");
  std::filesystem::permissions(run.dir().path, std::filesystem::perms::owner_all | std::filesystem::perms::others_exec);
  ASSERT_EQ(run.Start(), 0);
  run.Finish();
  EXPECT_EQ(run.log(), "nobody\ns\n");
}

TEST(Steps, MountedFilesAreThereBeforeAnythingRunsAndArePrivate) {
  ShimRun run(
      "volume_mounted_files { path: 'etc/one' content: 'first' } setup { run_action { path: '/bin/sh' args: '-c' "
      "args: 'stat -c %a etc/one sub/two; cat etc/one sub/two' volume_mounted_files { path: 'sub/two' content: "
      "'second' } } } action { " +
      Sh("exit 1") + " }");
  ASSERT_EQ(run.Start(), 0);
  run.Finish();
  EXPECT_EQ(run.log(), "600\n600\nfirstsecond\n");
  ShimRun rooted("volume_mounted_files { path: '/redis/username' content: 'of Diego' } action { " + Sh("cat redis/username; exit 1") +
                 " }");
  ASSERT_EQ(rooted.Start(), 0);
  rooted.Finish();
  EXPECT_EQ(rooted.log(), "of Diego\n");
  ShimRun escaping("volume_mounted_files { path: '../up' content: 'x' } action { " + Sh("true") + " }");
  ASSERT_EQ(escaping.Start(), 0);
  EXPECT_EQ(escaping.Finish().reason, "a file's path is not below the instance's directory: ../up");
}

}  // namespace
}  // namespace baton::shim
