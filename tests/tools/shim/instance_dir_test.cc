#include "tools/shim/instance_dir.h"

#include <gtest/gtest.h>

#include "tests/tools/shim/scratch_dir.h"
#include "tools/shim/atomic_file.h"
#include "tools/shim/downloads/inside.h"
#include "tools/shim/output_log.h"

namespace baton::shim {
namespace {

TEST(InstanceDir, StateIsReadAsItWasWritten) {
  const testing::ScratchDir scratch;
  const InstanceDir dir{scratch.path()};
  ShimState state;
  state.phase = ShimPhase::kExited;
  state.boot_id = "boot";
  state.shim = {12, 34};
  state.processes = {{{56, 78}, "action: run x", 90}};
  state.started_at_ms = 1;
  state.running_at_ms = 2;
  state.ended_at_ms = 3;
  state.exit_status = -9;
  state.reason = "why";
  state.failed_action = "which";
  state.last_output = "bytes \xff that are no text\n";
  ASSERT_TRUE(WriteState(dir, state).ok());
  const auto read = ReadState(dir);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->phase, state.phase);
  EXPECT_EQ(read->shim, state.shim);
  EXPECT_EQ(read->processes, state.processes);
  EXPECT_EQ(read->exit_status, state.exit_status);
  EXPECT_EQ(read->last_output, "bytes \xEF\xBF\xBD that are no text\n");
}

TEST(InstanceDir, ExitStatusMayBeAbsent) {
  const testing::ScratchDir scratch;
  ASSERT_TRUE(WriteState({scratch.path()}, {}).ok());
  EXPECT_EQ(ReadState({scratch.path()})->exit_status, std::nullopt);
}

TEST(InstanceDir, DamagedFilesAreAsIfMissing) {
  const testing::ScratchDir scratch;
  const InstanceDir dir{scratch.path()};
  EXPECT_FALSE(ReadState(dir));
  for (const char* text : {"", "{", "[]", "{\"phase\":5}", "{\"phase\":\"dancing\"}"}) {
    ASSERT_TRUE(WriteWholeFile(dir.State(), text).ok());
    ASSERT_TRUE(WriteWholeFile(dir.LaunchFile(), text).ok());
    ASSERT_TRUE(WriteWholeFile(dir.StopFile(), text).ok());
    EXPECT_FALSE(ReadState(dir)) << text;
    EXPECT_FALSE(ReadLaunch(dir)) << text;
    EXPECT_FALSE(ReadStop(dir)) << text;
  }
}

TEST(InstanceDir, LookingAtTheLockDoesNotTakeIt) {
  const testing::ScratchDir scratch;
  const std::string path = scratch / "lock";
  EXPECT_FALSE(IsLocked(path));
  {
    const UniqueFd lock = TryLock(path);
    ASSERT_TRUE(lock.valid());
    EXPECT_TRUE(IsLocked(path));
    EXPECT_FALSE(TryLock(path).valid());
  }
  EXPECT_FALSE(IsLocked(path));
}

TEST(Inside, PathsStayBelowTheRoot) {
  for (const char* good : {"", ".", "a", "a/b", "./a", "a..b", "..a/b"}) EXPECT_TRUE(StaysInside(good)) << good;
  for (const char* bad : {"/", "/a", "..", "../a", "a/..", "a/../b"}) EXPECT_FALSE(StaysInside(bad)) << bad;
}

TEST(LastLines, CutsBetweenLines) {
  EXPECT_EQ(LastLines("one\ntwo\n", 100), "one\ntwo\n");
  EXPECT_EQ(LastLines("one\ntwo\n", 5), "two\n");
  EXPECT_EQ(LastLines("one\ntwo\n", 4), "two\n");
  EXPECT_EQ(LastLines("one long line", 4), "line");
  EXPECT_EQ(LastLines("one long line\n", 5), "line\n");
}

TEST(OutputLog, KeepsTwoFilesOfACappedSize) {
  const testing::ScratchDir scratch;
  OutputLog log(scratch / "log", 20);
  for (const char* line : {"first line", "second line", "third line", "fourth line"}) log.Append(line);
  EXPECT_EQ(ReadOutputLog(scratch / "log"), "third line\nfourth line\n");
  EXPECT_EQ(log.tail(), "first line\nsecond line\nthird line\nfourth line\n");
}

}  // namespace
}  // namespace baton::shim
