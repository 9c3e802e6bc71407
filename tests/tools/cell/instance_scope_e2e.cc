// A cell's instances in a scope of systemd's.
#include "tools/cell/machine/instance_scope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "tests/tools/cell/mock_systemd.h"
#include "tools/cell/machine/cgroup2.h"
#include "tools/cell/machine/cgroups.h"
#include "tools/stack/wait_for.h"

namespace baton::cell {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ScopeName, HasWhatAUnitsNameMayHave) {
  EXPECT_EQ(ScopeName("cell-1.zone_a:x"), "baton-instances-cell-1.zone_a:x.scope");
  EXPECT_EQ(ScopeName("a/b c\\\xc3\xa4"), "baton-instances-a\\x2fb\\x20c\\x5c\\xc3\\xa4.scope");
}

pid_t HolderIn(const std::string& directory) {
  pid_t pid = 0;
  std::ifstream(directory + "/holder/cgroup.procs") >> pid;
  return pid;
}

bool IsGone(pid_t pid) {
  return stack::WaitFor(std::chrono::seconds(10), {}, [&] { return kill(pid, 0) != 0; });
}

class InstanceScope : public ::testing::Test {
 protected:
  ~InstanceScope() override {
    if (holder_ > 1) kill(holder_, SIGKILL);
  }
  pid_t holder_ = 0;
};

TEST_F(InstanceScope, IsDelegatedInTheSliceOfBatonAndHeldByAProcessInALeaf) {
  const MockSystemd systemd;
  const auto directory = OpenInstanceScope("cell-1", systemd.mounted());
  ASSERT_TRUE(directory.ok()) << directory.error().message;
  EXPECT_EQ(*directory, systemd.mounted() + "/baton.slice/baton-instances-cell-1.scope");
  holder_ = HolderIn(*directory);
  ASSERT_EQ(systemd.started().size(), 1U);
  const MockSystemd::Started& started = systemd.started().front();
  EXPECT_EQ(started.name, "baton-instances-cell-1.scope");
  EXPECT_EQ(started.mode, "fail");
  EXPECT_EQ(started.slice, "baton.slice");
  EXPECT_TRUE(started.delegate);
  EXPECT_EQ(static_cast<pid_t>(started.pid), holder_);
  EXPECT_EQ(kill(holder_, 0), 0) << "it stays when the cell goes";
  const Cgroups cgroups = Cgroups::Below(*directory);
  EXPECT_THAT(cgroups.enforces(), ElementsAre("memory", "pids"));
  const auto made = cgroups.Make("guid", {.memory_mb = 64, .pids = 20});
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_THAT(CgroupWords(*made + "/memory.max"), ElementsAre("67108864"));
  EXPECT_THAT(CgroupWords(*made + "/pids.max"), ElementsAre("20"));
}

TEST_F(InstanceScope, OfAFormerLifeIsTakenUp) {
  MockSystemd systemd;
  systemd.Has("baton-instances-cell-1.scope");
  const auto directory = OpenInstanceScope("cell-1", systemd.mounted());
  ASSERT_TRUE(directory.ok()) << directory.error().message;
  EXPECT_EQ(*directory, systemd.mounted() + systemd.GroupOf("baton-instances-cell-1.scope"));
  EXPECT_TRUE(systemd.started().empty());
}

// As of a cell that is not root.
TEST_F(InstanceScope, ThatIsRefusedLeavesNoProcess) {
  const MockSystemd systemd("");
  const auto directory = OpenInstanceScope("cell-1", systemd.mounted());
  ASSERT_FALSE(directory.ok());
  EXPECT_THAT(directory.error().message, HasSubstr("systemd does not answer StartTransientUnit: not you"));
  ASSERT_EQ(systemd.started().size(), 1U);
  EXPECT_TRUE(IsGone(static_cast<pid_t>(systemd.started().front().pid)));
}

TEST_F(InstanceScope, WhoseJobFailsLeavesNoProcess) {
  const MockSystemd systemd("failed");
  const auto directory = OpenInstanceScope("cell-1", systemd.mounted());
  ASSERT_FALSE(directory.ok());
  EXPECT_EQ(directory.error().message, "systemd did not start baton-instances-cell-1.scope: its job ended as failed");
  EXPECT_TRUE(IsGone(static_cast<pid_t>(systemd.started().front().pid)));
}

TEST_F(InstanceScope, IsNotAskedForWhereNoLimitCouldBeHeld) {
  const MockSystemd systemd;
  std::ofstream(systemd.mounted() + "/cgroup.controllers", std::ios::trunc) << "cpu hugetlb\n";
  const auto directory = OpenInstanceScope("cell-1", systemd.mounted());
  ASSERT_FALSE(directory.ok());
  EXPECT_THAT(directory.error().message, HasSubstr("no controllers"));
  EXPECT_TRUE(systemd.started().empty());
}

TEST_F(InstanceScope, IsNoneWithoutABus) {
  testing::ScratchDir scratch;
  std::ofstream(scratch / "cgroup.controllers") << "memory\n";
  setenv("DBUS_SYSTEM_BUS_ADDRESS", ("unix:path=" + (scratch / "none")).c_str(), 1);
  const auto directory = OpenInstanceScope("cell-1", scratch.path());
  unsetenv("DBUS_SYSTEM_BUS_ADDRESS");
  ASSERT_FALSE(directory.ok());
  EXPECT_THAT(directory.error().message, HasSubstr("there is no system bus"));
}

}  // namespace
}  // namespace baton::cell
