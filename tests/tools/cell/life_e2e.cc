// The life of instances under a real cell, with a scripted leader.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>

#include "tests/tools/cell/cell_run.h"
#include "tests/tools/shim/shim_run.h"
#include "tests/tools/shim/wait.h"

namespace baton::cell {
namespace {

using namespace baton::testing;

constexpr char kPort[] = "ports: 8080 ";

TEST(Life, RunsClaimsStartsServesAndStops) {
  FakeLeader leader;
  leader.Define("one", DefinitionOf(kPort + Action(App())));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  const v2::CellHello hello = leader.hellos()[0];
  EXPECT_EQ(hello.protocol_version(), 1);
  EXPECT_EQ(hello.cell_id(), "cell-1");
  EXPECT_EQ(hello.zone(), "z1");
  EXPECT_EQ(hello.capacity().memory_mb(), 1000);
  EXPECT_EQ(hello.instances_size(), 0);
  leader.Run("a", "one");
  const auto started = leader.WaitFor("a", IsStarted);
  ASSERT_TRUE(started) << cell.log();
  EXPECT_TRUE(started->started().routable());
  EXPECT_EQ(started->started().availability_zone(), "z1");
  const v1::ActualLRPNetInfo& net = started->started().net_info();
  EXPECT_EQ(net.address(), "127.0.0.1");
  ASSERT_EQ(net.ports_size(), 1);
  EXPECT_EQ(net.ports(0).container_port(), 8080u);
  const std::uint32_t port = net.ports(0).host_port();
  EXPECT_GE(port, leader.hellos().front().host_port_first());
  EXPECT_LE(port, leader.hellos().front().host_port_last());
  EXPECT_EQ(HttpGet(port, "/"), "hello\n");
  EXPECT_EQ(HttpGet(port, "/env/CF_INSTANCE_GUID"), started->instance_guid());
  EXPECT_EQ(HttpGet(port, "/env/CF_INSTANCE_INDEX"), "3");
  EXPECT_EQ(HttpGet(port, "/env/CF_INSTANCE_ADDR"), "127.0.0.1:" + std::to_string(port));
  EXPECT_EQ(HttpGet(port, "/env/CF_INSTANCE_PORTS"), "[{\"external\":" + std::to_string(port) + ",\"internal\":8080}]");
  leader.StopInstance("a");
  const auto stopped = leader.WaitFor("a", IsStopped);
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->stopped().exit_status(), 0);
  EXPECT_EQ(HttpGet(port, "/"), "(no answer)");
  const auto all = leader.reports("a");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_TRUE(IsClaimed(all[0]));
  for (std::size_t i = 1; i < all.size(); ++i) {
    EXPECT_GT(all[i].report_id(), all[i - 1].report_id());
    EXPECT_EQ(all[i].instance_guid(), all[0].instance_guid());
  }
  EXPECT_TRUE(WaitUntil([&] { return leader.heartbeats() > 3; }));
}

TEST(Life, CrashTellsExitStatusReasonAndLastOutput) {
  FakeLeader leader;
  leader.Define("bad", DefinitionOf(Action(Sh("echo starting; echo oh no >&2; exit 42"))));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "bad");
  const auto crashed = leader.WaitFor("a", IsCrashed);
  ASSERT_TRUE(crashed) << cell.log();
  EXPECT_EQ(crashed->crashed().exit_status(), 42);
  EXPECT_EQ(crashed->crashed().reason(), "action: run /bin/sh exited with status 42");
  EXPECT_EQ(crashed->crashed().last_output(), "starting\noh no\n");
  // What it wrote stays to be read; its files do not.
  EXPECT_TRUE(WaitUntil([&] { return cell.Found("a").record.state.phase == InstancePhase::kForgotten; }));
  EXPECT_EQ(cell.Ask({"logs", "a"}), "starting\noh no\n");
  EXPECT_FALSE(std::filesystem::exists(cell.Found("a").dir.Root()));
  EXPECT_FALSE(std::filesystem::exists(cell.Found("a").dir.Plan()));
}

TEST(Life, NeverReadyIsAStartTimeout) {
  FakeLeader leader;
  leader.Define("deaf", DefinitionOf(kPort + Action(Sh("echo up; sleep 1000"))));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "deaf", 700);
  const auto crashed = leader.WaitFor("a", IsCrashed);
  ASSERT_TRUE(crashed) << cell.log();
  EXPECT_TRUE(crashed->crashed().reason().starts_with("start timeout: not ready within 700 ms (TCP port "))
      << crashed->crashed().reason();
  EXPECT_EQ(crashed->crashed().exit_status(), -SIGTERM);
  EXPECT_EQ(crashed->crashed().last_output(), "up\n");
  EXPECT_FALSE(leader.WaitFor("a", IsCrashed)->has_started());
}

TEST(Life, TreeThatIgnoresTerminateIsKilledAfterTheGrace) {
  FakeLeader leader;
  leader.Define("stubborn",
                DefinitionOf(Action(Sh("trap '' TERM; setsid sh -c 'trap \\\"\\\" TERM; sleep 1000' & (setsid "
                                       "sleep 1001 &); echo up; while :; do sleep 1; done"))));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "stubborn");
  const auto started = leader.WaitFor("a", IsStarted);
  ASSERT_TRUE(started) << cell.log();
  ASSERT_TRUE(WaitUntil([&] { return ProcessesOf(started->instance_guid()).size() >= 4; }));
  const auto asked = std::chrono::steady_clock::now();
  leader.StopInstance("a", 500);
  const auto stopped = leader.WaitFor("a", IsStopped);
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->stopped().exit_status(), -SIGKILL);
  const auto took = std::chrono::steady_clock::now() - asked;
  EXPECT_GE(took, std::chrono::milliseconds(500));
  EXPECT_LT(took, std::chrono::seconds(5)) << "not by its shim, but by the cell, which took the shim for stuck";
  EXPECT_TRUE(ProcessesOf(started->instance_guid()).empty());
}

TEST(Life, RefusedClaimIsNeverStarted) {
  FakeLeader leader;
  ScratchDir scratch;
  leader.Define("one", DefinitionOf(Action(Sh("touch " + (scratch / "ran") + "; sleep 100"))));
  leader.set_policy([](const v2::CellReport&) { return v2::CellReportResult::REFUSED; });
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  ASSERT_TRUE(leader.WaitFor("a", IsClaimed));
  // A later order is a new start: the first is forgotten, without any trace.
  leader.set_policy({});
  ASSERT_TRUE(WaitUntil([&] { return FindInstances(cell.dir()).empty(); }));
  EXPECT_FALSE(std::filesystem::exists(scratch / "ran"));
  leader.Run("a", "one");
  const auto again = leader.WaitFor("a", IsClaimed, 1);
  ASSERT_TRUE(again);
  EXPECT_NE(again->instance_guid(), leader.reports("a")[0].instance_guid());
  EXPECT_TRUE(leader.WaitFor("a", IsStarted));
}

TEST(Life, NothingStartsBeforeTheClaimIsAnswered) {
  FakeLeader leader;
  leader.Define("one", DefinitionOf(Action(Sh("sleep 100"))));
  leader.set_policy([](const v2::CellReport& report) -> std::optional<FakeLeader::Outcome> {
    if (report.has_claimed()) return v2::CellReportResult::RETRY;
    return v2::CellReportResult::APPLIED;
  });
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  // RETRY is no answer: the claim comes again and again.
  ASSERT_TRUE(WaitUntil([&] { return leader.reports("a").size() >= 4; }));
  for (const v2::CellReport& report : leader.reports("a")) EXPECT_TRUE(IsClaimed(report));
  EXPECT_EQ(cell.Found("a").record.state.phase, InstancePhase::kClaiming);
  EXPECT_FALSE(shim::ReadState(cell.Found("a").dir));
  leader.set_policy([](const v2::CellReport&) { return v2::CellReportResult::UNCHANGED; });
  EXPECT_TRUE(leader.WaitFor("a", IsStarted));
}

TEST(Life, RepeatedOrdersHaveTheEffectOfOne) {
  FakeLeader leader;
  leader.Define("one", DefinitionOf(kPort + Action(App())));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  leader.Run("a", "one");
  ASSERT_TRUE(leader.WaitFor("a", IsStarted)) << cell.log();
  const std::size_t before = leader.reports("a").size();
  leader.Run("a", "one");
  // Answered by the present report.
  const auto repeated = leader.WaitFor("a", IsStarted, before);
  ASSERT_TRUE(repeated);
  EXPECT_EQ(FindInstances(cell.dir()).size(), 1u);
  for (const v2::CellReport& report : leader.reports("a")) EXPECT_EQ(report.instance_guid(), repeated->instance_guid());
  leader.StopInstance("a");
  leader.StopInstance("a");
  ASSERT_TRUE(leader.WaitFor("a", IsStopped));
  // Unknown by now: told at once.
  const std::size_t ended = leader.reports("a").size();
  leader.StopInstance("a");
  EXPECT_TRUE(leader.WaitFor("a", IsStopped, ended));
  leader.StopInstance("never-heard-of");
  EXPECT_TRUE(leader.WaitFor("never-heard-of", IsStopped));
}

TEST(Life, RepeatedAnswersHaveTheEffectOfOne) {
  FakeLeader leader;
  leader.Define("one", DefinitionOf(kPort + Action(App())));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  ASSERT_TRUE(leader.WaitFor("a", IsStarted)) << cell.log();
  v2::LeaderToCell again;
  for (const v2::CellReport& report : leader.reports("a")) {
    for (const auto outcome : {v2::CellReportResult::APPLIED, v2::CellReportResult::REFUSED}) {
      v2::CellReportResult* result = again.add_results();
      result->set_report_id(report.report_id());
      result->set_outcome(outcome);  // even a refusal: it was answered, the second answer is nobody's
    }
  }
  leader.Send(again);
  const std::size_t before = leader.reports("a").size();
  leader.Run("a", "one");
  ASSERT_TRUE(leader.WaitFor("a", IsStarted, before));
  EXPECT_EQ(FindInstances(cell.dir()).size(), 1u);
}

TEST(Life, RefusedStartStopsSilently) {
  FakeLeader leader;
  leader.Define("one", DefinitionOf(kPort + Action(App())));
  leader.set_policy([](const v2::CellReport& report) {
    return report.has_started() ? v2::CellReportResult::REFUSED : v2::CellReportResult::APPLIED;
  });
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  const auto started = leader.WaitFor("a", IsStarted);
  ASSERT_TRUE(started) << cell.log();
  ASSERT_TRUE(WaitUntil([&] { return cell.Found("a").record.state.phase == InstancePhase::kForgotten; })) << cell.log();
  EXPECT_TRUE(ProcessesOf(started->instance_guid()).empty());
  EXPECT_EQ(leader.reports("a").size(), 2u);  // claimed, started, and no more
}

TEST(Life, RejectsWhatHasNoRoom) {
  FakeLeader leader;
  v2::LRPDefinition big = DefinitionOf(Action(Sh("sleep 100")));
  big.mutable_resource()->set_memory_mb(700);
  leader.Define("big", big);
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "big");
  ASSERT_TRUE(leader.WaitFor("a", IsStarted)) << cell.log();
  leader.Run("b", "big");
  const auto rejected = leader.WaitFor("b", IsRejected);
  ASSERT_TRUE(rejected);
  EXPECT_EQ(rejected->rejected().reason(), "insufficient memory: 700 MiB wanted, 300 free");
  leader.StopInstance("a");
  ASSERT_TRUE(leader.WaitFor("a", IsStopped));
  leader.Run("b", "big");
  EXPECT_TRUE(leader.WaitFor("b", IsStarted));
}

// Issue 20: it was a crash, three times: rolled back, and the good version refused afterwards.
TEST(Life, ACellWithoutFreeHostPortsRejects) {
  FakeLeader leader;
  leader.Define("two", DefinitionOf("ports: 8080 ports: 2222 " + Action(Sh("sleep 100"))));
  CellRun cell(leader, {"--ports", "63210-63210"});
  ASSERT_TRUE(leader.WaitForHello(1));
  EXPECT_EQ(leader.hellos()[0].host_ports(), 1);
  leader.Run("a", "two");
  const auto rejected = leader.WaitFor("a", IsRejected);
  ASSERT_TRUE(rejected) << cell.log();
  EXPECT_EQ(rejected->rejected().reason(), "insufficient host ports: 2 wanted, 1 free");
  EXPECT_EQ(rejected->rejected().lack(), v2::CellReport::Rejected::HOST_PORTS);
  leader.Run("b", "two");  // by now it knows the definition before it claims
  const auto before = leader.WaitFor("b", IsRejected);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->rejected().reason(), "insufficient host ports: 2 wanted, 1 free");
  EXPECT_EQ(leader.reports("b").size(), 1u) << "no claim";
}

TEST(Life, DoesNotRunWhatItCannotEnact) {
  FakeLeader leader;
  leader.Define("walled", DefinitionOf("egress_rules { protocol: 'tcp' } " + Action(Sh("sleep 100"))));
  v2::LRPDefinition foreign = DefinitionOf(Action(Sh("sleep 100")));
  foreign.mutable_resource()->set_root_fs("preloaded:cflinuxfs4");
  leader.Define("foreign", foreign);
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  const auto abilities = leader.hellos()[0].abilities();
  EXPECT_EQ(std::find(abilities.begin(), abilities.end(), "egress_rules"), abilities.end());
  leader.Run("a", "walled");
  const auto late = leader.WaitFor("a", IsRejected);
  ASSERT_TRUE(late) << cell.log();
  EXPECT_EQ(late->rejected().reason(), "this cell cannot enact egress rules");
  leader.Run("b", "walled");  // by now it knows the definition before it claims
  EXPECT_EQ(leader.WaitFor("b", IsRejected)->rejected().reason(), "this cell cannot enact egress rules");
  EXPECT_NE(std::find(abilities.begin(), abilities.end(), "egress_rules.unenforced"), abilities.end());
  leader.Run("told", "walled", 20'000, /*egress_unenforced=*/true);
  EXPECT_TRUE(leader.WaitFor("told", IsStarted)) << cell.log();
  EXPECT_NE(cell.log().find("egress_unenforced"), std::string::npos);
  leader.Run("c", "foreign");
  EXPECT_EQ(leader.WaitFor("c", IsRejected)->rejected().reason(),
            "this cell cannot enact root file system preloaded:cflinuxfs4");
}

TEST(Life, TwoDefinitionsOfAnAppHavePortsOfTheirOwn) {
  FakeLeader leader;
  leader.Define("v1", DefinitionOf(kPort + Action(App())));
  leader.Define("v2", DefinitionOf("ports: 8080 ports: 9090 " + Action("parallel_action { actions { " + App() +
                                                                       " } actions { " + App("PORT_9090") + " } }")));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "v1");
  leader.Run("b", "v2");
  const auto first = leader.WaitFor("a", IsStarted);
  const auto second = leader.WaitFor("b", IsStarted);
  ASSERT_TRUE(first && second) << cell.log();
  ASSERT_EQ(first->started().net_info().ports_size(), 1);
  ASSERT_EQ(second->started().net_info().ports_size(), 2);
  std::set<std::uint32_t> ports{first->started().net_info().ports(0).host_port()};
  for (const auto& port : second->started().net_info().ports()) ports.insert(port.host_port());
  EXPECT_EQ(ports.size(), 3u);
  EXPECT_EQ(second->started().net_info().ports(1).container_port(), 9090u);
  for (const std::uint32_t port : ports) {
    EXPECT_TRUE(WaitUntil([&] { return HttpGet(port, "/") == "hello\n"; })) << port;
  }
}

TEST(Life, DefinitionIsAskedForOnceAndKept) {
  FakeLeader leader;
  leader.Define("one", DefinitionOf(Action(Sh("sleep 100"))));
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  ASSERT_TRUE(leader.WaitFor("a", IsStarted)) << cell.log();
  leader.Run("b", "one");
  ASSERT_TRUE(leader.WaitFor("b", IsStarted));
  EXPECT_EQ(leader.definitions_asked(), 1);
}

TEST(Life, DefinitionThatIsGoneIsACrashThatNeverRan) {
  FakeLeader leader;
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  v2::LeaderToCell message;
  message.add_run()->set_actual_id("a");
  message.mutable_run(0)->set_definition_identifier("gone");
  leader.Send(message);
  const auto crashed = leader.WaitFor("a", IsCrashed);
  ASSERT_TRUE(crashed) << cell.log();
  EXPECT_FALSE(crashed->crashed().has_exit_status());
  EXPECT_EQ(crashed->crashed().reason(), "its definition is gone");
}

TEST(Life, StoppedBeforeItStartedHasNoExitStatus) {
  FakeLeader leader;
  leader.Define("one", DefinitionOf(Action(Sh("sleep 100"))));
  leader.set_policy([](const v2::CellReport& report) -> std::optional<FakeLeader::Outcome> {
    if (report.has_claimed()) return std::nullopt;
    return v2::CellReportResult::APPLIED;
  });
  CellRun cell(leader);
  ASSERT_TRUE(leader.WaitForHello(1));
  leader.Run("a", "one");
  const auto claimed = leader.WaitFor("a", IsClaimed);
  ASSERT_TRUE(claimed);
  leader.StopInstance("a");
  ASSERT_TRUE(WaitUntil([&] { return cell.Found("a").record.state.phase == InstancePhase::kEnded; }));
  // Only now is the claim answered; the stop is told after it.
  v2::LeaderToCell late;
  late.add_results()->set_report_id(claimed->report_id());
  late.mutable_results(0)->set_outcome(v2::CellReportResult::APPLIED);
  leader.Send(late);
  const auto stopped = leader.WaitFor("a", IsStopped);
  ASSERT_TRUE(stopped) << cell.log();
  EXPECT_FALSE(stopped->stopped().has_exit_status());
}

}  // namespace
}  // namespace baton::cell
