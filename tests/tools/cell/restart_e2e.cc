// The cell killed, the leader away, the shim killed: what is told when they are back.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include "orchestrator/model/version.h"
#include "tests/tools/cell/cell_run.h"
#include "tests/tools/shim/shim_run.h"
#include "tests/tools/shim/wait.h"
#include "tools/cell/machine/cgroups.h"

namespace baton::cell {
namespace {

using namespace baton::testing;

TEST(Restart, KilledCellFindsItsInstancesRunning) {
  FakeLeader leader;
  leader.Define("one", DefinitionOf("ports: 8080 " + Action(App())));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  const auto started = leader.WaitFor("a", IsStarted);
  ASSERT_TRUE(started) << cell.log();
  const std::uint32_t port = started->started().net_info().ports(0).host_port();
  const pid_t app = cell.ShimOf("a").processes.at(0).identity.pid;
  cell.Kill();
  EXPECT_EQ(HttpGet(port, "/"), "hello\n");
  EXPECT_NE(cell.Ask({"ps"}).find("RUNNING"), std::string::npos);  // while the cell is down
  cell.Start();
  ASSERT_TRUE(leader.WaitForHello(2));
  const v2::CellHello hello = leader.hellos()[1];
  ASSERT_EQ(hello.instances_size(), 1);
  EXPECT_EQ(hello.instances(0).state(), v2::CellInstance::RUNNING);
  EXPECT_EQ(hello.instances(0).instance_guid(), started->instance_guid());
  EXPECT_EQ(hello.instances(0).actual_id(), "a");
  EXPECT_EQ(hello.instances(0).process_guid(), "app");
  EXPECT_EQ(hello.instances(0).index(), 3);
  EXPECT_TRUE(hello.instances(0).routable());
  EXPECT_EQ(hello.instances(0).net_info().ports(0).host_port(), port);
  EXPECT_EQ(HttpGet(port, "/"), "hello\n");
  EXPECT_EQ(cell.ShimOf("a").processes.at(0).identity.pid, app);
  leader.StopInstance("a");
  const auto stopped = leader.WaitFor("a", IsStopped);
  ASSERT_TRUE(stopped) << cell.log();
  EXPECT_EQ(stopped->stopped().exit_status(), 0);
}

TEST(Restart, ChecksGoOnAfterARestart) {
  FakeLeader leader;
  leader.Define("one", DefinitionOf("ports: 8080 " + Action(App()) +
                                    "check_definition { readiness_checks { http_check { port: 8080 path: '/ready' "
                                    "interval_ms: 50 } } }"));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  ASSERT_TRUE(leader.WaitFor("a", IsRoutable)) << cell.log();
  cell.Kill();
  std::ofstream(cell.Found("a").dir.Root() + "/unready") << "x";
  cell.Start();
  EXPECT_TRUE(leader.WaitFor("a", IsUnroutable)) << cell.log();
}

TEST(Restart, DeathWhileTheCellWasDeadIsToldWithItsTrueExitStatus) {
  FakeLeader leader;
  leader.Define("one", DefinitionOf(Action(Sh("while [ ! -e end ]; do sleep 0.02; done; echo last words; exit 42"))));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  ASSERT_TRUE(leader.WaitFor("a", IsStarted)) << cell.log();
  cell.Kill();
  std::ofstream(cell.Found("a").dir.Root() + "/end") << "x";
  ASSERT_TRUE(WaitUntil([&] { return cell.ShimOf("a").phase == shim::ShimPhase::kExited; }));
  cell.Start();
  const auto crashed = leader.WaitFor("a", IsCrashed);
  ASSERT_TRUE(crashed) << cell.log();
  EXPECT_EQ(crashed->crashed().exit_status(), 42);
  EXPECT_EQ(crashed->crashed().last_output(), "last words\n");
  // In hand until its last report is answered.
  ASSERT_EQ(leader.hellos()[1].instances_size(), 1);
  EXPECT_FALSE(leader.hellos()[1].instances(0).routable());
}

TEST(Restart, StoppingGoesOnAfterARestart) {
  FakeLeader leader;
  leader.Define(
      "one",
      DefinitionOf(Action(Sh("trap 'echo asked' TERM; echo up; while [ ! -e end ]; do sleep 0.02; done; exit 7"))));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  ASSERT_TRUE(leader.WaitFor("a", IsStarted)) << cell.log();
  ASSERT_TRUE(WaitUntil([&] { return cell.Ask({"logs", "a"}) == "up\n"; }));
  leader.StopInstance("a", 60'000);
  ASSERT_TRUE(WaitUntil([&] { return cell.Ask({"logs", "a"}).find("asked") != std::string::npos; }));
  cell.Kill();
  cell.Start();
  ASSERT_TRUE(leader.WaitForHello(2));
  ASSERT_EQ(leader.hellos()[1].instances_size(), 1);
  EXPECT_EQ(leader.hellos()[1].instances(0).state(), v2::CellInstance::STOPPING);
  std::ofstream(cell.Found("a").dir.Root() + "/end") << "x";
  const auto stopped = leader.WaitFor("a", IsStopped);
  ASSERT_TRUE(stopped) << cell.log();
  EXPECT_EQ(stopped->stopped().exit_status(), 7);
  const std::string log = cell.Ask({"logs", "a"});
  EXPECT_EQ(log.find("asked"), log.rfind("asked")) << log;  // SIGTERM came once
}

TEST(Restart, UnansweredClaimIsListedAndRepeated) {
  FakeLeader leader;
  leader.Define("one", DefinitionOf(Action(Sh("sleep 100"))));
  leader.set_policy([](const v2::CellReport&) { return std::nullopt; });
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  const auto claimed = leader.WaitFor("a", IsClaimed);
  ASSERT_TRUE(claimed);
  cell.Kill();
  cell.Start();
  ASSERT_TRUE(leader.WaitForHello(2));
  ASSERT_EQ(leader.hellos()[1].instances_size(), 1);
  EXPECT_EQ(leader.hellos()[1].instances(0).state(), v2::CellInstance::CLAIMING);
  const auto again = leader.WaitFor("a", IsClaimed, 1);
  ASSERT_TRUE(again) << cell.log();
  EXPECT_EQ(again->instance_guid(), claimed->instance_guid());
}

TEST(Restart, KilledWhileStartingIsStartedOnce) {
  FakeLeader leader;
  ScratchDir scratch;
  leader.Define("one", DefinitionOf(Action(Sh("echo ran >> " + (scratch / "runs") + "; sleep 1000"))));
  CellRun cell(leader);
  // At whatever line it is killed: one start, one process.
  for (int round = 0; round < 8; ++round) {
    const std::string actual = std::to_string(round);
    ASSERT_TRUE(leader.WaitForHello(static_cast<std::size_t>(round) + 1));
    leader.Run(actual, "one");
    ASSERT_TRUE(leader.WaitFor(actual, IsClaimed));
    for (int looks = 0; looks < round * 10; ++looks) FindInstances(cell.dir());  // some time passes
    cell.Kill();
    cell.Start();
    const auto started = leader.WaitFor(actual, IsStarted);
    ASSERT_TRUE(started) << cell.log();
    EXPECT_EQ(started->instance_guid(), leader.reports(actual)[0].instance_guid());
    // The shell and its sleep.
    EXPECT_TRUE(WaitUntil([&] { return ProcessesOf(started->instance_guid()).size() >= 2; }));
    EXPECT_EQ(ProcessesOf(started->instance_guid()).size(), 2u);
  }
  std::ifstream runs(scratch / "runs");
  int lines = 0;
  for (std::string line; std::getline(runs, line);) ++lines;
  EXPECT_EQ(lines, 8);
}

TEST(Restart, KilledShimIsACrashAndNothingOfItIsLeft) {
  FakeLeader leader;
  leader.Define(
      "one",
      DefinitionOf(Action(Sh("setsid sleep 1000 & (setsid sh -c 'sleep 1001 & sleep 1002' &); echo up; sleep 1003"))));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  const auto started = leader.WaitFor("a", IsStarted);
  ASSERT_TRUE(started) << cell.log();
  ASSERT_TRUE(WaitUntil([&] { return ProcessesOf(started->instance_guid()).size() >= 6; }));
  kill(cell.ShimOf("a").shim.pid, SIGKILL);
  const auto crashed = leader.WaitFor("a", IsCrashed);
  ASSERT_TRUE(crashed) << cell.log();
  EXPECT_EQ(crashed->crashed().reason(), "the shim was killed");
  EXPECT_EQ(crashed->crashed().exit_status(), -SIGKILL);
  EXPECT_EQ(crashed->crashed().last_output(), "up\n");
  EXPECT_TRUE(ProcessesOf(started->instance_guid()).empty());
}

// It has no mark, no leader that the shim knew, and no parent but init.
TEST(Restart, AProcessThatDropsItsMarksIsFoundByItsCgroup) {
  Cgroups cgroups = Cgroups::BelowOwn();
  if (cgroups.Make("baton-test-probe", {})->empty()) GTEST_SKIP() << "no cgroup v2 in which this process may make cgroups";
  cgroups.Remove("baton-test-probe");
  FakeLeader leader;
  leader.Define("one", DefinitionOf(Action(Sh("(env -i setsid sh -c 'echo $$ > hidden; exec sleep 1000' &); echo up; sleep 1003"))));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  ASSERT_TRUE(leader.WaitFor("a", IsStarted)) << cell.log();
  pid_t hidden = 0;
  ASSERT_TRUE(WaitUntil([&] { return (std::ifstream(cell.Found("a").dir.Root() + "/hidden") >> hidden) && hidden > 0; }));
  kill(cell.ShimOf("a").shim.pid, SIGKILL);
  ASSERT_TRUE(leader.WaitFor("a", IsCrashed)) << cell.log();
  const auto left = shim::ReadStat(hidden);
  EXPECT_TRUE(!left || left->dead());
}

std::string Cgroup2Of(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/cgroup");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("0::")) return line.substr(3);
  }
  return "";
}

// As baton-cell.service has it: systemd cannot start a unit again in a cgroup that has such below it.
TEST(Restart, ACellThatIsToldScopeMakesNoCgroupsBelowItsOwn) {
  Cgroups cgroups = Cgroups::BelowOwn();
  if (cgroups.Make("baton-test-probe", {})->empty())
    GTEST_SKIP() << "no cgroup v2 in which this process may make cgroups";
  cgroups.Remove("baton-test-probe");
  const auto own_of_instance = [](std::vector<std::string> told) {
    FakeLeader leader;
    leader.Define("one", DefinitionOf(Action(Sh("echo up; sleep 1003"))));
    CellRun cell(leader, std::move(told));
    EXPECT_TRUE(leader.WaitForHello(1)) << cell.log();
    leader.Run("a", "one");
    const auto started = leader.WaitFor("a", IsStarted);
    EXPECT_TRUE(started) << cell.log();
    EXPECT_NE(cell.log().find("scope_not_opened"), std::string::npos) << cell.log();
    std::set<std::string> groups;
    if (!started) return groups;
    EXPECT_TRUE(WaitUntil([&] { return !ProcessesOf(started->instance_guid()).empty(); }));
    for (const pid_t pid : ProcessesOf(started->instance_guid())) groups.insert(Cgroup2Of(pid));
    return groups;
  };
  EXPECT_EQ(own_of_instance({"--cgroup", "scope"}), std::set{Cgroup2Of(getpid())});
  EXPECT_NE(own_of_instance({}), std::set{Cgroup2Of(getpid())}) << "without the option it makes them";
}

TEST(Restart, ShimKilledTogetherWithTheCellIsFoundDead) {
  FakeLeader leader;
  leader.Define("one", DefinitionOf(Action(Sh("setsid sleep 1000 & echo up; sleep 1003"))));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  const auto started = leader.WaitFor("a", IsStarted);
  ASSERT_TRUE(started) << cell.log();
  ASSERT_TRUE(WaitUntil([&] { return ProcessesOf(started->instance_guid()).size() >= 3; }));
  cell.Kill();
  kill(cell.ShimOf("a").shim.pid, SIGKILL);
  ASSERT_TRUE(WaitUntil([&] { return !shim::IsLocked(cell.Found("a").dir.Lock()); }));
  EXPECT_NE(cell.Ask({"ps"}).find("LOST"), std::string::npos);
  cell.Start();
  const auto crashed = leader.WaitFor("a", IsCrashed);
  ASSERT_TRUE(crashed) << cell.log();
  EXPECT_EQ(crashed->crashed().reason(), "the shim was killed");
  EXPECT_TRUE(ProcessesOf(started->instance_guid()).empty());
}

TEST(Restart, WhatHappensWhileTheLeaderIsAwayIsToldInOrder) {
  FakeLeader leader;
  for (const char* name : {"x", "y", "z"}) {
    leader.Define(name, DefinitionOf(Action(Sh("while [ ! -e end ]; do sleep 0.02; done; exit 5"))));
  }
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  for (const char* name : {"x", "y", "z"}) {
    leader.Run(name, name);
    ASSERT_TRUE(leader.WaitFor(name, IsStarted)) << cell.log();
  }
  leader.Stop();
  const std::size_t before = leader.reports().size();
  for (const char* name : {"z", "x", "y"}) {
    std::ofstream(cell.Found(name).dir.Root() + "/end") << "x";
    ASSERT_TRUE(WaitUntil([&] { return cell.Found(name).record.state.phase == InstancePhase::kEnded; }));
  }
  leader.Start();
  ASSERT_TRUE(leader.WaitForHello(2)) << cell.log();
  EXPECT_EQ(leader.hellos()[1].instances_size(), 3);
  ASSERT_TRUE(WaitUntil([&] { return leader.reports().size() >= before + 3; }));
  const auto all = leader.reports();
  EXPECT_EQ(all[before].actual_id(), "z");
  EXPECT_EQ(all[before + 1].actual_id(), "x");
  EXPECT_EQ(all[before + 2].actual_id(), "y");
  for (std::size_t i = before; i < all.size(); ++i) EXPECT_EQ(all[i].crashed().exit_status(), 5);
}

TEST(Restart, DeposedLeaderIsNotObeyed) {
  FakeLeader leader(5);
  leader.Define("one", DefinitionOf(Action(Sh("sleep 100"))));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  ASSERT_TRUE(leader.WaitFor("a", IsStarted)) << cell.log();
  v2::LeaderToCell stop;
  stop.add_stop()->set_actual_id("a");
  leader.Send(stop, 4);
  // The cell leaves, and comes again with what it knows.
  ASSERT_TRUE(leader.WaitForHello(2)) << cell.log();
  EXPECT_EQ(leader.hellos()[1].highest_epoch(), 5);
  EXPECT_EQ(leader.hellos()[1].instances(0).state(), v2::CellInstance::RUNNING);
  // After a restart too, and already by the welcome.
  cell.Kill();
  leader.set_epoch(4);
  const std::size_t hellos = leader.hellos().size();
  cell.Start();
  ASSERT_TRUE(leader.WaitForHello(hellos + 2)) << cell.log();
  EXPECT_EQ(leader.hellos().back().highest_epoch(), 5);
  leader.set_epoch(6);
  ASSERT_TRUE(leader.WaitForHello(hellos + 3));
  const int beats = leader.heartbeats();
  EXPECT_TRUE(WaitUntil([&] { return leader.heartbeats() > beats; }));
  EXPECT_TRUE(shim::Lives(cell.ShimOf("a").shim));
}

TEST(Restart, TerminatedCellLeavesItsInstancesAndEndsTheStreamInOrder) {
  FakeLeader leader;
  leader.Define("one", DefinitionOf("ports: 8080 " + Action(App())));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  const auto started = leader.WaitFor("a", IsStarted);
  ASSERT_TRUE(started) << cell.log();
  const std::size_t before = leader.reports().size();
  EXPECT_EQ(cell.Terminate(), 0) << cell.log();
  EXPECT_TRUE(WaitUntil([&] { return leader.streams_ended_in_order() == 1; }));
  EXPECT_EQ(leader.reports().size(), before);
  EXPECT_EQ(HttpGet(started->started().net_info().ports(0).host_port(), "/"), "hello\n");
}

TEST(Restart, StopsItsInstancesOnExitWhenToldSo) {
  FakeLeader leader;
  leader.Define("one", DefinitionOf("ports: 8080 " + Action(App())));
  CellRun cell(leader, {"--stop-instances-on-exit"});
  ASSERT_TRUE(leader.WaitForHello(1));
  for (const char* actual : {"a", "b", "c"}) {
    leader.Run(actual, "one");
    ASSERT_TRUE(leader.WaitFor(actual, IsStarted)) << cell.log();
  }
  const std::string guid = cell.Found("b").record.instance_guid;
  EXPECT_EQ(cell.Terminate(), 0) << cell.log();
  EXPECT_TRUE(ProcessesOf(guid).empty());
  EXPECT_EQ(cell.ShimOf("b").phase, shim::ShimPhase::kExited);
  // Told when it is back.
  cell.Start();
  const auto crashed = leader.WaitFor("b", IsCrashed);
  ASSERT_TRUE(crashed);
  EXPECT_EQ(crashed->crashed().reason(), "the cell was shut down");
}

TEST(Restart, TerminatesAlsoWithoutALeader) {
  FakeLeader leader;
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Stop();
  EXPECT_EQ(cell.Terminate(), 0) << cell.log();
}

TEST(Restart, OnlyOneCellInADirectory) {
  FakeLeader leader;
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  EXPECT_NE(cell.Ask({"run", "--insecure-root", "--id", "other"}).find("another cell runs in"), std::string::npos);
}

TEST(Restart, CellThatTheLeaderRefusesAsTooNewKeepsItsInstancesSaysWhyAndComesBack) {
  FakeLeader leader;
  leader.Define("one", DefinitionOf("ports: 8080 " + Action(App())));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  EXPECT_EQ(leader.client_versions().at(0), kAppVersion);
  leader.Run("a", "one");
  const auto started = leader.WaitFor("a", IsStarted);
  ASSERT_TRUE(started) << cell.log();
  const std::uint32_t port = started->started().net_info().ports(0).host_port();
  const pid_t app = cell.ShimOf("a").processes.at(0).identity.pid;
  const std::string why = "this batond is 0.1.0 and the client baton-cell is 0.2.0: upgrade batond first";
  leader.Stop();  // and an older one takes its place
  leader.set_refusal({grpc::StatusCode::FAILED_PRECONDITION, why});
  leader.Start();
  ASSERT_TRUE(WaitUntil([&] { return leader.client_versions().size() >= 4; })) << "it asks again and again";
  EXPECT_NE(cell.log().find(why), std::string::npos);
  EXPECT_EQ(HttpGet(port, "/"), "hello\n");
  leader.set_refusal(grpc::Status::OK);
  ASSERT_TRUE(leader.WaitForHello(2));
  const v2::CellHello hello = leader.hellos()[1];
  ASSERT_EQ(hello.instances_size(), 1);
  EXPECT_EQ(hello.instances(0).state(), v2::CellInstance::RUNNING);
  EXPECT_EQ(cell.ShimOf("a").processes.at(0).identity.pid, app);
}

}  // namespace
}  // namespace baton::cell
