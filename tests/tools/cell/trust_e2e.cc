// What a cell does not take on trust, and what of it is for nobody else.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/tools/cell/cell_run.h"
#include "tests/tools/shim/shim_run.h"

namespace baton {
namespace {

using namespace baton::testing;

std::string Action(const std::string& action) { return "action { " + action + " } "; }

TEST(Trust, ADefinitionOfAnotherContentIsFetchedOnceMoreAndThenRejected) {
  FakeLeader leader;
  const std::string hash = leader.Define("one", DefinitionOf(Action(Sh("sleep 100"))));
  const v2::LRPDefinition other = DefinitionOf(Action(Sh("sleep 99")));
  leader.Falsify("one", other, 2);
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  const auto rejected = leader.WaitFor("a", IsRejected);
  ASSERT_TRUE(rejected) << cell.log();
  EXPECT_TRUE(rejected->rejected().reason().starts_with("its definition has another content than the order says: " + hash))
      << rejected->rejected().reason();
  EXPECT_EQ(leader.definitions_asked(), 2);
  // One that was replaced between the order and the question.
  leader.Falsify("one", other, 1);
  leader.Run("b", "one");
  EXPECT_TRUE(leader.WaitFor("b", IsStarted)) << cell.log();
  EXPECT_EQ(leader.definitions_asked(), 4);
}

TEST(Trust, ItsDirectoriesAreNobodyElsesWhateverTheUmask) {
  for (const mode_t mask : {0000U, 0077U}) {
    const mode_t before = umask(mask);
    FakeLeader leader;
    leader.Define("one", DefinitionOf(Action(Sh("sleep 100"))));
    CellRun cell(leader);
    EXPECT_TRUE(leader.WaitForHello(1));
    leader.Run("a", "one");
    EXPECT_TRUE(leader.WaitFor("a", IsStarted)) << cell.log();
    umask(before);
    const auto mode = [&](const std::string& name) {
      return static_cast<unsigned>(std::filesystem::status(cell.dir() + name).permissions());
    };
    EXPECT_EQ(mode(""), 0711U);
    EXPECT_EQ(mode("/instances"), 0711U);
    EXPECT_EQ(mode("/instances/" + std::filesystem::path(cell.Found("a").dir.path).filename().string()), 0711U);
    for (const char* own : {"/trash", "/cache", "/definitions"}) EXPECT_EQ(mode(own), 0700U) << own;
  }
}

TEST(Trust, ACellThatIsRootRejectsAnAppThatWouldBeRoot) {
  if (geteuid() != 0) GTEST_SKIP() << "for root";
  FakeLeader leader;
  leader.Define("bare", DefinitionOf(Action(Sh("sleep 100"))));
  leader.Define("nobodys", DefinitionOf(Action("run_action { path: '/bin/sleep' args: '100' dir: '/' user: 'nobody' }")));
  CellRun cell(leader, {kNoRootApps});
  ASSERT_TRUE(leader.WaitForHello(1));
  const std::string why = "this cell cannot enact running without a user: it would be root";
  leader.Run("a", "bare");
  const auto late = leader.WaitFor("a", IsRejected);
  ASSERT_TRUE(late) << cell.log();
  EXPECT_EQ(late->rejected().reason(), why);
  leader.Run("b", "bare");  // by now it knows the definition before it claims
  EXPECT_EQ(leader.WaitFor("b", IsRejected)->rejected().reason(), why);
  EXPECT_EQ(leader.reports("b").size(), 1u) << "no claim";
  leader.Run("c", "nobodys");
  EXPECT_TRUE(leader.WaitFor("c", IsStarted)) << cell.log();
  EXPECT_EQ(cell.log().find("root_apps_allowed"), std::string::npos);
}

TEST(Trust, ACellThatLetsAppsBeRootSaysSoAtEachStart) {
  if (geteuid() != 0) GTEST_SKIP() << "for root";
  FakeLeader leader;
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  EXPECT_NE(cell.log().find("root_apps_allowed"), std::string::npos);
}

}  // namespace
}  // namespace baton
