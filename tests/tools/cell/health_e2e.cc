// Readiness and liveness, as the leader comes to know them.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/tools/cell/cell_run.h"
#include "tests/tools/shim/shim_run.h"
#include "tests/tools/shim/wait.h"

namespace baton::cell {
namespace {

using namespace baton::testing;

class Health : public ::testing::Test {
 protected:
  void Run(const std::string& definition) {
    leader_.Define("one", DefinitionOf(definition));
    ASSERT_TRUE(leader_.WaitForHello(1));
    leader_.Run("a", "one");
  }
  // In the instance's directory.
  void Touch(const std::string& name) { std::ofstream(cell_.Found("a").dir.Root() + "/" + name) << "x"; }
  void Remove(const std::string& name) { std::filesystem::remove(cell_.Found("a").dir.Root() + "/" + name); }

  FakeLeader leader_;
  CellRun cell_{leader_, {"--grace-ms", "300"}};
};

TEST_F(Health, NotRoutableBeforeTheChecksPass) {
  Run("ports: 8080 setup { " + Sh("touch unready") + " } action { " + App() +
      " } check_definition { checks { tcp_check { port: 8080 } } readiness_checks { http_check { port: 8080 path: "
      "'/ready' } } }");
  ASSERT_TRUE(WaitUntil([&] { return cell_.ShimOf("a").phase == shim::ShimPhase::kRunning; }));
  const auto log = cell_.Found("a").dir.Log();
  ASSERT_TRUE(WaitUntil([&] { return cell_.Ask({"logs", "a"}) == "listening\n"; }));
  EXPECT_EQ(leader_.reports("a").size(), 1u);
  Remove("unready");
  const auto started = leader_.WaitFor("a", IsStarted);
  ASSERT_TRUE(started) << cell_.log();
  EXPECT_TRUE(started->started().routable());
}

TEST_F(Health, ReadinessFlapsWithoutACrash) {
  Run("ports: 8080 action { " + App() +
      " } check_definition { readiness_checks { http_check { port: 8080 path: '/ready' interval_ms: 50 } } }");
  ASSERT_TRUE(leader_.WaitFor("a", IsRoutable)) << cell_.log();
  for (int round = 0; round < 3; ++round) {
    const std::size_t before = leader_.reports("a").size();
    Touch("unready");
    ASSERT_TRUE(leader_.WaitFor("a", IsUnroutable, before)) << cell_.log();
    Remove("unready");
    const auto back = leader_.WaitFor("a", IsRoutable, before);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->started().net_info().ports_size(), 1);
  }
  for (const v2::CellReport& report : leader_.reports("a")) EXPECT_FALSE(IsCrashed(report));
}

TEST_F(Health, LivenessLostThreeTimesInARowIsACrash) {
  Run("ports: 8080 action { " + App() +
      " } check_definition { checks { http_check { port: 8080 path: '/health' interval_ms: 50 } } }");
  ASSERT_TRUE(leader_.WaitFor("a", IsRoutable)) << cell_.log();
  Touch("unhealthy");
  const auto crashed = leader_.WaitFor("a", IsCrashed);
  ASSERT_TRUE(crashed) << cell_.log();
  EXPECT_TRUE(crashed->crashed().reason().starts_with("unhealthy: HTTP port ")) << crashed->crashed().reason();
  EXPECT_TRUE(crashed->crashed().reason().ends_with("/health: answered 503, 3 times in a row"));
  EXPECT_EQ(crashed->crashed().exit_status(), 0);
  EXPECT_EQ(crashed->crashed().last_output(), "listening\nterminated\n");
}

TEST_F(Health, MonitorActionDecidesWhereThereIsNoCheck) {
  Run("action { " + Sh("while [ ! -e go ]; do sleep 0.05; done; touch ready; sleep 1000") + " } monitor { " +
      Sh("test -e ready") + " }");
  ASSERT_TRUE(WaitUntil([&] { return cell_.ShimOf("a").phase == shim::ShimPhase::kRunning; }));
  ASSERT_TRUE(WaitUntil([&] { return std::filesystem::exists(cell_.Found("a").dir.MonitorLog()); }));
  EXPECT_EQ(leader_.reports("a").size(), 1u);
  Touch("go");
  EXPECT_TRUE(leader_.WaitFor("a", IsRoutable)) << cell_.log();
}

TEST_F(Health, HangingCheckFailsByItsTimeout) {
  // Accepts by the kernel's queue, and never answers.
  Run("ports: 8080 action { run_action { path: '/bin/sh' args: '-c' args: '" BATON_TEST_APP
      " & kill -STOP $!; sleep 1000' } } check_definition { checks { http_check { port: 8080 request_timeout_ms: 100 } "
      "} }");
  leader_.Run("b", "one", 1500);
  const auto crashed = leader_.WaitFor("b", IsCrashed);
  ASSERT_TRUE(crashed) << cell_.log();
  EXPECT_TRUE(crashed->crashed().reason().starts_with("start timeout: not ready within 1500 ms (HTTP port"))
      << crashed->crashed().reason();
}

// Without the timeout its check would never be answered, and so never fail.
TEST_F(Health, AnInstanceThatHangsIsDeadAfterThreeTimeouts) {
  Run("ports: 8080 action { run_action { path: '/bin/sh' args: '-c' args: '" BATON_TEST_APP
      " & while [ ! -e hang ]; do sleep 0.05; done; kill -STOP $!; sleep 1000' } } check_definition { checks { "
      "http_check { port: 8080 request_timeout_ms: 100 interval_ms: 50 } } }");
  ASSERT_TRUE(leader_.WaitFor("a", IsRoutable)) << cell_.log();
  Touch("hang");
  EXPECT_TRUE(leader_.WaitFor("a", IsCrashed)) << cell_.log();
}

TEST_F(Health, WithoutPortAndCheckItIsReadyWhenItsActionRuns) {
  Run("setup { " + Sh("while [ ! -e go ]; do sleep 0.05; done") + " } action { " + Sh("sleep 1000") + " }");
  ASSERT_TRUE(WaitUntil(
      [&] { return cell_.ShimOf("a").phase == shim::ShimPhase::kSetup && !cell_.ShimOf("a").processes.empty(); }));
  EXPECT_EQ(leader_.reports("a").size(), 1u);
  Touch("go");
  const auto started = leader_.WaitFor("a", IsRoutable);
  ASSERT_TRUE(started) << cell_.log();
  EXPECT_EQ(started->started().net_info().ports_size(), 0);
}

}  // namespace
}  // namespace baton::cell
