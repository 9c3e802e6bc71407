// What operators do, and who they ask, with real processes under traffic.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "tests/e2e/scene.h"
#include "tests/load/scripted_server.h"
#include "tools/embedded_postgres/command.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

class OperatorScenes : public Scene {
 protected:
  using Scene::Scene;
  std::set<std::string> Ids() {
    std::set<std::string> ids;
    for (const v2::ActualLRP& lrp : Instances()) ids.insert(lrp.actual_id());
    return ids;
  }
  bool RunsOn(const std::string& cell) {
    return std::ranges::any_of(Instances(), [&](const auto& lrp) { return lrp.instance_key().cell_id() == cell; });
  }
};

TEST_F(OperatorScenes, ACellIsDrainedInTheMiddleOfARoll) {
  app_.instances = 4;
  Begin();
  StartTraffic();
  ASSERT_TRUE(RunsOn("cell-1"));
  const v2::Roll roll = Update("v2");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  stack_->api().DrainCell("cell-1");
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  EXPECT_TRUE(Await([&] { return !RunsOn("cell-1"); }));
  EXPECT_TRUE(AwaitOnly("v2", app_.instances));
  ExpectDrainsAsTraffic(app_.instances);
  ExpectUnnoticed();
}

TEST_F(OperatorScenes, AllInstancesAreReplacedWithoutARoll) {
  Begin();
  StartTraffic();
  const std::set<std::string> before = Ids();
  EXPECT_EQ(stack_->api().RetireInstances(app_.process_guid), app_.instances);
  EXPECT_TRUE(
      Await([&] { return std::ranges::none_of(Ids(), [&](const std::string& id) { return before.contains(id); }); }));
  EXPECT_TRUE(AwaitOnly("v1", app_.instances));
  ExpectDrainsAsTraffic(app_.instances);
  ExpectUnnoticed();
}

// What it writes comes over the stream that its cell keeps to batond: no port of the cell's is asked.
TEST_F(OperatorScenes, AnInstancesOutputIsSeenAndFollowedThroughItsCell) {
  Begin();
  stack::HelloApp chatty{.process_guid = "chatty", .hostname = "chatty.example", .instances = 1, .min_healthy_ms = 0};
  v2::LRPDefinition definition = stack::HelloDefinition(chatty, "c1");
  definition.mutable_run_info()->clear_check_definition();
  v1::RunAction& run = *definition.mutable_run_info()->mutable_action()->mutable_run_action();
  run.set_path("/bin/sh");
  run.add_args("-c");
  run.add_args("i=0; while true; do i=$((i + 1)); echo line $i; sleep 0.1; done");
  stack_->api().Desire(stack::DesiredHello(chatty, definition));
  ASSERT_TRUE(Await([&] {
    const auto shown = RunCommand(Baton({"logs", "chatty", "0", "--tail", "10000"}), std::nullopt);
    return shown && shown->exit_status == 0 && shown->output.find("line 3\n") != std::string::npos;
  }));
  std::vector<std::string> follow = Baton({"logs", "chatty", "--follow", "--tail", "10000"});
  follow.insert(follow.begin(), {"/usr/bin/timeout", "3"});
  const auto followed = RunCommand(follow, std::nullopt);
  ASSERT_TRUE(followed.ok());
  std::istringstream lines(followed->output);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("is --insecure") != line.npos) continue;  // on stderr
    EXPECT_EQ(line, "line " + std::to_string(++number));
  }
  EXPECT_GT(number, 10);
}

// The new version listens on another port and has a second one, so that nothing could be guessed; the route stays.
TEST_F(OperatorScenes, APortThatMovedIsReachedByItsAlias) {
  Begin();
  StartTraffic();
  stack::HelloApp moved = app_;
  moved.port = app_.port + 1000;
  v2::LRPDefinition definition = stack::HelloDefinition(moved, "v2");
  definition.mutable_run_info()->add_ports(app_.port + 2000);
  v2::DesiredLRPUpdate update = stack::UpdateTo(definition);
  v2::PortAlias& alias = *update.add_port_aliases();
  alias.set_route_port(app_.port);
  alias.set_definition_port(moved.port);
  EXPECT_EQ(EndOf(stack_->api().Update(app_.process_guid, update).roll()), v2::COMPLETED);
  EXPECT_TRUE(AwaitOnly("v2", app_.instances));
  ExpectDrainsAsTraffic(app_.instances);
  ExpectUnnoticed();
  EXPECT_GT(load_->Snapshot().answered_by_version["v2"], 0);
}

// No answer, then "wait", then "promote"; and of the next roll "fail".
class JudgedScenes : public OperatorScenes {
 protected:
  JudgedScenes() : OperatorScenes({.batond_arguments = {"--verdict-allow", "127.0.0.0/8"}}) {}
};

TEST_F(JudgedScenes, AStageWaitsForAVerdictFromOutside) {
  std::atomic<bool> likes_it{true};
  load::ScriptedServer judge([&](const load::ScriptedRequest& request) -> load::ScriptedReply {
    EXPECT_NE(request.body.find(R"("target")"), std::string::npos) << request.body;
    if (!likes_it) return {.body = R"({"verdict": "fail", "reason": "error rate 3 %"})"};
    if (request.number == 0) return {.then = load::ScriptedReply::Then::kCloseUnanswered};
    if (request.number == 1) return {.body = R"({"verdict": "wait", "reason": "too early"})"};
    return {.body = R"({"verdict": "promote", "reason": "error rate 0 %"})"};
  });
  Begin();
  StartTraffic();
  v2::DesiredLRPUpdate strategy;
  v2::Stage& stage = *strategy.mutable_strategy()->add_stages();
  stage.mutable_instances()->set_count(1);
  stage.mutable_verdict()->set_url("http://" + judge.Target() + "/verdict");
  stack_->api().Update(app_.process_guid, strategy);
  EXPECT_EQ(EndOf(Update("v2")), v2::COMPLETED);
  EXPECT_EQ(judge.requests(), 3);
  likes_it = false;
  EXPECT_EQ(EndOf(Update("v3")), v2::ROLLED_BACK);
  EXPECT_TRUE(AwaitOnly("v2", app_.instances));
  ExpectDrainsAsTraffic(app_.instances + 2);  // of v1, and one of v2 and of v3 in the slot that was tried
  ExpectUnnoticed();
}

// Nobody leads while it is paused, so no cell can renew its lease: that is not the cells' fault.
TEST_F(OperatorScenes, ABatondThatWasPausedForLongerThanALeaseReplacesNothing) {
  Begin();
  StartTraffic();
  const std::set<std::string> before = Ids();
  ASSERT_EQ(kill(stack_->batond_pid(), SIGSTOP), 0);
  stack::Rest(std::chrono::seconds(14), {});  // the pause; cells have leases of 10 s
  ASSERT_EQ(kill(stack_->batond_pid(), SIGCONT), 0);
  EXPECT_EQ(EndOf(stack_->api().GetRoll(app_.process_guid).roll()), v2::COMPLETED);
  ASSERT_TRUE(Await([&] {
    const auto cells = stack_->api().Cells();
    return std::ranges::all_of(cells, [](const v2::Cell& cell) { return cell.connected(); });
  }));
  EXPECT_EQ(Ids(), before);
  EXPECT_TRUE(AwaitOnly("v1", app_.instances));
  ExpectUnnoticed();
}

}  // namespace
}  // namespace baton
