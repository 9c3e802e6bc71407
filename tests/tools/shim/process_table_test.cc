#include "tools/shim/process_table.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace baton::shim {
namespace {

TEST(ProcessTable, ReadsAStatLineWhoseProgramNameHasSpacesAndBrackets) {
  const auto stat = ParseStat("42 (a (b) c) S 7 40 39 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1 2 3\n");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->identity, (ProcessIdentity{42, 987654}));
  EXPECT_EQ(stat->state, 'S');
  EXPECT_EQ(stat->parent, 7);
  EXPECT_EQ(stat->group, 40);
  EXPECT_EQ(stat->session, 39);
  const auto ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  EXPECT_DOUBLE_EQ(stat->cpu_seconds * ticks_per_second, 5 + 6);
  EXPECT_DOUBLE_EQ(stat->children_cpu_seconds * ticks_per_second, 7 + 8);
}

TEST(ProcessTable, RefusesWhatIsCutOff) {
  EXPECT_FALSE(ParseStat(""));
  EXPECT_FALSE(ParseStat("42 (sh"));
  EXPECT_FALSE(ParseStat("42 (sh) S 7 40"));
}

TEST(ProcessTable, KnowsAProcessByPidAndStartTime) {
  const auto self = ReadStat(getpid());
  ASSERT_TRUE(self);
  EXPECT_TRUE(Lives(self->identity));
  EXPECT_FALSE(Lives({self->identity.pid, self->identity.start_ticks + 1}));
  EXPECT_FALSE(Lives({0, 0}));
}

TEST(ProcessTable, FindsDescendantsAtAnyDepthInAnyOrder) {
  const auto process = [](pid_t pid, pid_t parent) {
    ProcessStat stat;
    stat.identity.pid = pid;
    stat.parent = parent;
    return stat;
  };
  const auto found = Descendants(1, {process(4, 3), process(3, 2), process(2, 1), process(9, 8)});
  EXPECT_EQ(found.size(), 3u);
}

}  // namespace
}  // namespace baton::shim
