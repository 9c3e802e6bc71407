// What a cell does not take on trust, and what of it is for nobody else.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/tools/cell/cell_run.h"
#include "tests/tools/shim/archives.h"
#include "tests/tools/shim/http_server.h"
#include "tests/tools/shim/shim_run.h"

namespace baton::cell {
namespace {

using namespace baton::testing;

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

TEST(Trust, ADownloadComesFromLoopbackOnlyWhereTheCellIsToldSo) {
  HttpServer server;
  server.Put("/app.tgz", Archive("tgz", {{"hello", "from the archive"}}));
  const std::string app = "setup { download_action { from: '" + server.Url("/app.tgz") + "' to: '.' } } " + Action(Sh("cat hello; sleep 100"));
  FakeLeader leader;
  leader.Define("one", DefinitionOf(app));
  {
    CellRun cell(leader);
    ASSERT_TRUE(leader.WaitForHello(1));
    leader.Run("a", "one");
    const auto crashed = leader.WaitFor("a", IsCrashed);
    ASSERT_TRUE(crashed) << cell.log();
    EXPECT_NE(crashed->DebugString().find("it leads to 127.0.0.1"), std::string::npos) << crashed->DebugString();
  }
  EXPECT_EQ(server.requests(), 0);
  FakeLeader other;
  other.Define("one", DefinitionOf(app));
  CellRun cell(other, {"--download-allow", "10.0.0.0/8,127.0.0.1/32"});
  ASSERT_TRUE(other.WaitForHello(1));
  other.Run("a", "one");
  EXPECT_TRUE(other.WaitFor("a", IsStarted)) << cell.log();
  EXPECT_EQ(server.requests(), 1);
  CellRun odd(other, {"--download-allow", "127.0.0.1"});
  EXPECT_NE(odd.WaitForEnd(), 0);
  EXPECT_NE(odd.log().find("'127.0.0.1' is no ADDRESS/BITS, for example 127.0.0.0/8"), std::string::npos) << odd.log();
}

// Without TLS each process of the machine is batond's admin, and so each app would be root by way of its cell.
TEST(Trust, ACellThatIsRootDoesNotStartWithoutTlsUnlessItIsToldTo) {
  if (geteuid() != 0) GTEST_SKIP() << "for root";
  FakeLeader leader;
  CellRun refused(leader, {kNoInsecureRoot});
  EXPECT_EQ(refused.WaitForEnd(), 1);
  EXPECT_NE(refused.log().find("this cell is root, and asks batond without TLS"), std::string::npos) << refused.log();
  EXPECT_NE(refused.log().find("say --insecure-root"), std::string::npos);
  CellRun told(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  EXPECT_NE(told.log().find("insecure_root"), std::string::npos) << "and says so at each start";
}

TEST(Trust, ACellThatLetsAppsBeRootSaysSoAtEachStart) {
  if (geteuid() != 0) GTEST_SKIP() << "for root";
  FakeLeader leader;
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  EXPECT_NE(cell.log().find("root_apps_allowed"), std::string::npos);
}

}  // namespace
}  // namespace baton::cell
