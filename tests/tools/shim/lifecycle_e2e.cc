// How an instance ends, and that nothing of it stays behind: a real shim, real process trees.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>

#include "tests/tools/shim/shim_run.h"
#include "tests/tools/shim/wait.h"
#include "tools/shim/exit_codes.h"
#include "tools/shim/output_log.h"

namespace baton::shim {
namespace {

using std::chrono::steady_clock;
using testing::kSleeps;
using testing::ProcessesOf;
using testing::Sh;
using testing::ShimRun;
using testing::WaitUntil;

TEST(Lifecycle, StopsOnTerminate) {
  ShimRun run("action { " + Sh("trap 'echo bye; exit 0' TERM; " + kSleeps + "echo up; wait") + " }");
  ASSERT_EQ(run.Start(), 0);
  ASSERT_TRUE(run.WaitForLog("up"));
  EXPECT_EQ(run.state().phase, ShimPhase::kRunning);
  ASSERT_EQ(run.state().processes.size(), 1u);
  EXPECT_TRUE(Lives(run.state().processes[0].identity));
  run.Terminate(60'000);
  const ShimState last = run.Finish();
  EXPECT_EQ(last.exit_status, 0);
  EXPECT_EQ(last.last_output, "up\nbye\n");
}

TEST(Lifecycle, KillsWhatIgnoresTerminateAfterTheGraceTheWholeTree) {
  // The action ignores SIGTERM; so does a child in a session of its own, and a grandchild that lost its parent.
  ShimRun run(
      "action { " +
      Sh("trap '' TERM; setsid sh -c 'sleep 1000' & (sh -c 'setsid sleep 1001 & true' &); echo up; sleep 1002") + " }");
  ASSERT_EQ(run.Start(), 0);
  ASSERT_TRUE(run.WaitForLog("up"));
  ASSERT_TRUE(WaitUntil([&] { return ProcessesOf(run.guid()).size() >= 4; }));
  const auto asked = steady_clock::now();
  run.Terminate(400);
  EXPECT_EQ(run.Finish().exit_status, -SIGKILL);
  EXPECT_GE(steady_clock::now() - asked, std::chrono::milliseconds(400));
}

TEST(Lifecycle, LeavesNothingWhenTheActionEndsByItself) {
  ShimRun run("action { " + Sh("setsid sleep 1000 & (sleep 1001 &) ; exit 5") + " }");
  ASSERT_EQ(run.Start(), 0);
  EXPECT_EQ(run.Finish().exit_status, 5);  // Finish looks for processes that are left
}

// Its memory holds its secrets, and the file would lie where others read.
TEST(Lifecycle, AnAppLeavesNoCoreFile) {
  ShimRun run("action { " + Sh("ulimit -c; ulimit -H -c") + " }");
  ASSERT_EQ(run.Start(), 0);
  EXPECT_EQ(run.Finish().last_output, "0\n0\n");
}

TEST(Lifecycle, ServerBehindAShellMayUseTheGraceWhenTheShellDiesAtOnce) {
  ShimRun run(
      "action { " +
      Sh("sh -c 'trap \\\"sleep 0.3; echo drained; exit 0\\\" TERM; touch up; while :; do sleep 0.02; done' & wait") +
      " }");
  ASSERT_EQ(run.Start(), 0);
  ASSERT_TRUE(WaitUntil([&] { return run.RootFile("up") != "(none)"; }));
  run.Terminate(60'000);
  EXPECT_TRUE(run.Finish().last_output.ends_with("drained\n")) << run.log();
}

TEST(Lifecycle, SecondTerminateCanShortenTheGrace) {
  ShimRun run("action { " + Sh("trap '' TERM; echo up; while :; do sleep 1; done") + " }");
  ASSERT_EQ(run.Start(), 0);
  ASSERT_TRUE(run.WaitForLog("up"));
  run.Terminate(3'600'000);
  ASSERT_TRUE(run.WaitForPhase(ShimPhase::kStopping));
  run.Terminate(50);
  EXPECT_EQ(run.Finish().exit_status, -SIGKILL);
}

TEST(Lifecycle, StopInSetupKeepsTheActionFromRunning) {
  ShimRun run("setup { " + Sh("echo up; sleep 100") + " } action { " + Sh("touch ran") + " }");
  ASSERT_EQ(run.Start(), 0);
  ASSERT_TRUE(run.WaitForLog("up"));
  EXPECT_EQ(run.state().phase, ShimPhase::kSetup);
  run.Terminate(10'000);
  EXPECT_EQ(run.Finish().exit_status, -SIGTERM);
  EXPECT_EQ(run.RootFile("ran"), "(none)");
}

TEST(Lifecycle, StopFileThatIsThereBeforeTheStartCounts) {
  ShimRun run("setup { " + Sh("touch ran") + " } action { " + Sh("touch ran") + " }");
  ASSERT_TRUE(WriteStop(run.dir(), 100).ok());
  ASSERT_EQ(run.Start(), 0);
  run.Finish();
  EXPECT_EQ(run.RootFile("ran"), "(none)");
}

TEST(Lifecycle, OutlivesItsStarterAndHisProcessGroup) {
  ShimRun run("action { " + Sh("echo up; sleep 100") + " }");
  const pid_t starter = fork();
  ASSERT_GE(starter, 0);
  if (starter == 0) {
    setpgid(0, 0);
    _exit(run.Start());
  }
  ASSERT_TRUE(run.WaitForLog("up"));
  kill(-starter, SIGKILL);
  waitpid(starter, nullptr, 0);
  EXPECT_TRUE(Lives(run.state().shim));
  EXPECT_EQ(run.state().phase, ShimPhase::kRunning);
  const auto shim = ReadStat(run.state().shim.pid);
  ASSERT_TRUE(shim);
  EXPECT_NE(shim->session, getsid(0));
  run.Terminate(10'000);
  EXPECT_EQ(run.Finish().exit_status, -SIGTERM);
}

TEST(Lifecycle, KilledShimTakesTheActionsProcessesWithIt) {
  ShimRun run("action { " + Sh("echo up; exec sleep 100") + " }");
  ASSERT_EQ(run.Start(), 0);
  ASSERT_TRUE(run.WaitForLog("up"));
  const ActionProcess action = run.state().processes.at(0);
  kill(run.state().shim.pid, SIGKILL);
  EXPECT_TRUE(WaitUntil([&] { return !Lives(action.identity); }));
  EXPECT_TRUE(WaitUntil([&] { return !IsLocked(run.dir().Lock()); }));
  EXPECT_EQ(run.state().phase, ShimPhase::kRunning);  // not a last state: the cell sees that it was killed
}

TEST(Lifecycle, OneShimADirectoryAndNoneAfterTheLastState) {
  ShimRun run("action { " + Sh("echo up; sleep 100") + " }");
  ASSERT_EQ(run.Start(), 0);
  ASSERT_TRUE(run.WaitForLog("up"));
  EXPECT_EQ(run.Start(), kShimOtherHasIt);
  run.Terminate(1000);
  run.Finish();
  EXPECT_EQ(run.Start(), kShimTooLate);
}

TEST(Lifecycle, MonitorIsRunOnceAndLeavesNothing) {
  ShimRun run("action { " + Sh("echo up; sleep 100") + " } monitor { " +
              Sh("setsid sleep 1000 & echo looking; test -e healthy") + " }");
  ASSERT_EQ(run.Start(), 0);
  ASSERT_TRUE(run.WaitForLog("up"));
  const std::size_t before = ProcessesOf(run.guid()).size();
  EXPECT_EQ(run.Once(), 1);
  EXPECT_EQ(ReadOutputLog(run.dir().MonitorLog()), "looking\nmonitor: run /bin/sh exited with status 1\n");
  ASSERT_TRUE(std::filesystem::create_directory(run.dir().Root() + "/healthy"));
  EXPECT_EQ(run.Once(), 0);
  EXPECT_EQ(ProcessesOf(run.guid()).size(), before);
  run.Terminate(1000);
  run.Finish();
}

TEST(Lifecycle, LogKeepsTheNewestOfMuchOutput) {
  ShimRun run("action { " +
              Sh("i=0; while [ $i -lt 60000 ]; do echo line number $i; i=$((i+1)); done; printf end; exit 1") + " }");
  ASSERT_EQ(run.Start(), 0);
  const ShimState last = run.Finish();
  EXPECT_LE(last.last_output.size(), 4096u);
  EXPECT_TRUE(last.last_output.starts_with("line number 5"));
  EXPECT_TRUE(last.last_output.ends_with("line number 59999\nend\n"));
  EXPECT_LE(std::filesystem::file_size(run.dir().Log()), OutputLog::kFileBytesMax);
  EXPECT_LE(std::filesystem::file_size(run.dir().Log() + ".1"), OutputLog::kFileBytesMax);
  EXPECT_GT(run.log().size(), OutputLog::kFileBytesMax);
}

TEST(Lifecycle, SuppressedOutputIsNotLogged) {
  ShimRun run(
      "action { run_action { path: '/bin/sh' args: '-c' args: 'echo private; exit 1' suppress_log_output: true } }");
  ASSERT_EQ(run.Start(), 0);
  run.Finish();
  EXPECT_EQ(run.log(), "");
}

}  // namespace
}  // namespace baton::shim
