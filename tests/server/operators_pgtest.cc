// What operators do to cells and instances, and outside verdicts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <future>

#include "tests/server/scripted_cell.h"

namespace baton {
namespace {

using grpc::StatusCode;
using ::testing::HasSubstr;

class Operators : public ::testing::Test {
 protected:
  void SetUp() override { service.WaitForLead(); }
  // One instance, on the cell that is told to run it.
  std::string RunOne(ScriptedCell& cell, const v2::DesireLRPRequest& app) {
    EXPECT_TRUE(service.Desire(app).ok());
    const v2::RunOrder order = cell.NextRun();
    cell.Report(ScriptedCell::Claimed(order.actual_id()));
    cell.Report(ScriptedCell::Started(order.actual_id()));
    return order.actual_id();
  }
  v2::Cell CellNamed(const std::string& id) {
    v2::ListCellsResponse cells;
    EXPECT_TRUE(service.cells->ListCells(Context().get(), {}, &cells).ok());
    for (const v2::Cell& cell : cells.cells()) {
      if (cell.cell_id() == id) return cell;
    }
    return {};
  }
  v2::Presence PresenceOf(const std::string& guid, const std::string& actual_id) {
    for (const v2::ActualLRP& lrp : service.Instances(guid)) {
      if (lrp.actual_id() == actual_id) return lrp.presence();
    }
    return v2::PRESENCE_UNSPECIFIED;
  }
  grpc::Status Drain(const std::string& id) {
    v2::ChangeCellRequest request;
    request.set_cell_id(id);
    v2::ChangeCellResponse response;
    return service.cells->DrainCell(Context().get(), request, &response);
  }

  static batond::ServiceOptions Allowing() {
    batond::ServiceOptions options;
    options.verdict_allow = *AllowedHosts::From({"judge.example"});
    return options;
  }

  RunningService service{{}, Allowing()};
};

v2::DesireLRPRequest QuickApp(const std::string& guid) {
  v2::DesireLRPRequest app = RunningService::SmallApp(guid);
  app.mutable_desired_lrp()->mutable_strategy()->set_min_healthy_time_ms(0);
  return app;
}

TEST_F(Operators, ACellThatDrainsGivesItsInstancesToAnotherAndStaysSoWhenItComesBack) {
  auto one = std::make_unique<ScriptedCell>(service, "one");
  one->Hello();
  const std::string first = RunOne(*one, QuickApp("moving"));
  ScriptedCell two(service, "two");
  two.Hello();
  ASSERT_TRUE(Drain("one").ok());
  EXPECT_TRUE(CellNamed("one").draining());
  const v2::RunOrder order = two.NextRun();
  EXPECT_EQ(PresenceOf("moving", first), v2::EVACUATING) << "it serves until its replacement is ready";
  two.Report(ScriptedCell::Claimed(order.actual_id()));
  two.Report(ScriptedCell::Started(order.actual_id()));
  EXPECT_TRUE(one->WasToldToStop(first));

  one.reset();
  ScriptedCell again(service, "one");
  again.Hello();
  ASSERT_TRUE(Eventually([&] { return CellNamed("one").connected(); }));
  EXPECT_TRUE(CellNamed("one").draining());
  ASSERT_TRUE(service.Desire(QuickApp("later")).ok());
  EXPECT_EQ(two.NextRun().process_guid(), "later") << "nothing is placed on the one that drains";
  v2::ChangeCellRequest request;
  request.set_cell_id("one");
  v2::ChangeCellResponse response;
  ASSERT_TRUE(service.cells->UndrainCell(Context().get(), request, &response).ok());
  EXPECT_FALSE(response.cell().draining());
}

TEST_F(Operators, ACellThatNobodyKnowsIsNotFound) {
  EXPECT_EQ(Drain("nobody").error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(Drain("").error_code(), StatusCode::INVALID_ARGUMENT);
}

TEST_F(Operators, RetiredInstancesAreReplacedBesideThemAndWithoutARoll) {
  ScriptedCell cell(service, "cell");
  cell.Hello();
  const std::string first = RunOne(cell, QuickApp("retired"));
  ASSERT_TRUE(Eventually([&] {
    v2::GetDesiredLRPRequest get;
    get.set_process_guid("retired");
    v2::GetDesiredLRPResponse app;
    return service.apps->GetDesiredLRP(Context().get(), get, &app).ok() && app.desired_lrp().roll_id().empty();
  }));
  v2::RetireInstancesRequest request;
  request.set_process_guid("retired");
  request.set_idempotency_key("once");
  v2::RetireInstancesResponse response;
  ASSERT_TRUE(service.lrps->RetireInstances(Context().get(), request, &response).ok());
  EXPECT_EQ(response.instances(), 1);
  ASSERT_EQ(response.retired_size(), 1);
  EXPECT_EQ(response.retired(0).actual_id(), first);
  EXPECT_EQ(response.retired(0).way(), v2::RetiredInstance::REPLACED);
  EXPECT_EQ(response.outcome(), "slot 0 is replaced");
  v2::ExplainRollRequest explain;
  explain.set_process_guid("retired");
  v2::ExplainRollResponse explained;
  ASSERT_TRUE(service.rolls->ExplainRoll(Context().get(), explain, &explained).ok()) << "without an open roll, too";
  EXPECT_EQ(explained.roll().state(), v2::COMPLETED);
  EXPECT_EQ(explained.instances(), 1);
  EXPECT_EQ(explained.unserved_size(), 0);
  EXPECT_TRUE(std::ranges::any_of(explained.reasons(), [](const v2::Reason& reason) {
    return reason.rule() == "evacuate.replacement";
  }));
  const v2::RunOrder order = cell.NextRun();
  EXPECT_NE(order.actual_id(), first);
  cell.Report(ScriptedCell::Claimed(order.actual_id()));
  cell.Report(ScriptedCell::Started(order.actual_id()));
  EXPECT_TRUE(cell.WasToldToStop(first));
  ASSERT_TRUE(service.lrps->RetireInstances(Context().get(), request, &response).ok());
  EXPECT_EQ(response.instances(), 1) << "a repeated call answers as the first did, and does nothing";
  EXPECT_EQ(PresenceOf("retired", order.actual_id()), v2::ORDINARY);
  request.clear_idempotency_key();
  request.set_definition_identifier("v9");
  EXPECT_EQ(service.lrps->RetireInstances(Context().get(), request, &response).error_code(), StatusCode::NOT_FOUND);
}

TEST_F(Operators, PortAliasesAreCheckedAndKeptWithTheirDefinition) {
  v2::DesireLRPRequest app = RunningService::SmallApp("aliased");
  (*app.mutable_desired_lrp()->mutable_routes()->mutable_routes())["cf-router"] =
      R"([{"hostnames": ["aliased.example"], "port": 8080}])";
  const grpc::Status desired = service.Desire(app);
  ASSERT_TRUE(desired.ok()) << desired.error_message();
  v2::UpdateDesiredLRPRequest request;
  request.set_process_guid("aliased");
  v2::DesiredLRPUpdate& update = *request.mutable_update();
  *update.mutable_desired_lrp()->mutable_definition() = app.desired_lrp().definition();
  auto& run_info = *update.mutable_desired_lrp()->mutable_definition()->mutable_run_info();
  run_info.clear_ports();
  run_info.add_ports(9090);
  run_info.add_ports(7070);
  update.set_update_identifier("v2");
  EXPECT_EQ(service.Update(request).error_code(), StatusCode::FAILED_PRECONDITION) << "no port fits the route";
  v2::PortAlias& alias = *update.add_port_aliases();
  alias.set_route_port(8080);
  alias.set_definition_port(6060);
  EXPECT_THAT(service.Update(request).error_message(), HasSubstr("none of the definition's ports"));
  alias.set_definition_port(9090);
  ASSERT_TRUE(service.Update(request).ok());
  v2::GetDefinitionRequest get;
  get.set_process_guid("aliased");
  get.set_definition_identifier("v2");
  v2::GetDefinitionResponse got;
  ASSERT_TRUE(service.definitions->GetDefinition(Context().get(), get, &got).ok());
  EXPECT_EQ(got.definition().port_aliases().at(8080), 9090u);
}

TEST_F(Operators, AVerdictsAddressIsCheckedAndKept) {
  v2::DesireLRPRequest app = RunningService::SmallApp("judged");
  v2::Stage& stage = *app.mutable_desired_lrp()->mutable_strategy()->add_stages();
  stage.mutable_instances()->set_count(1);
  stage.mutable_verdict()->set_url("ftp://judge.example");
  EXPECT_THAT(service.Desire(app).error_message(),
              HasSubstr("strategy.stages[0].verdict.url is not what it may be; it takes http://"));
  stage.mutable_verdict()->set_url("http://inside.example/?token=s3cr3t");
  EXPECT_EQ(service.Desire(app).error_message(),
            "strategy.stages[0].verdict.url: inside.example:80 is none that this batond may ask (batond --verdict-allow)");
  v2::PlanUpdateRequest plan;
  plan.set_process_guid("judged");
  *plan.mutable_create() = app.desired_lrp();
  v2::PlanUpdateResponse planned;
  EXPECT_EQ(service.apps->PlanUpdate(Context().get(), plan, &planned).error_message(), service.Desire(app).error_message());
  stage.mutable_verdict()->set_url("http://judge.example/ask");
  stage.mutable_verdict()->set_timeout_ms(5);
  EXPECT_THAT(service.Desire(app).error_message(), HasSubstr("strategy.stages[0].verdict.timeout_ms is 5"));
  stage.mutable_verdict()->set_timeout_ms(2000);
  v2::DesireLRPResponse desired;
  ASSERT_TRUE(service.Desire(app, &desired).ok());
  stage.mutable_verdict()->set_url("<redacted>");
  EXPECT_EQ(desired.desired_lrp().strategy().stages(0).DebugString(), stage.DebugString());
  EXPECT_EQ(desired.roll().strategy().stages(0).DebugString(), stage.DebugString());
  v2::GetDesiredLRPRequest get;
  get.set_process_guid("judged");
  v2::GetDesiredLRPResponse got;
  ASSERT_TRUE(service.apps->GetDesiredLRP(Context().get(), get, &got).ok());
  EXPECT_EQ(got.desired_lrp().strategy().stages(0).verdict().url(), "<redacted>");
  get.set_reveal_secrets(true);
  ASSERT_TRUE(service.apps->GetDesiredLRP(Context().get(), get, &got).ok());
  EXPECT_EQ(got.desired_lrp().strategy().stages(0).verdict().url(), "http://judge.example/ask");
  stage.mutable_verdict()->set_url("http://judge.example/ask");
  app.mutable_desired_lrp()->mutable_strategy()->set_start_timeout_ms(7000);
  v2::ReplaceDesiredLRPRequest replace;
  *replace.mutable_desired_lrp() = app.desired_lrp();
  v2::UpdateDesiredLRPResponse replaced;
  ASSERT_TRUE(service.apps->ReplaceDesiredLRP(Context().get(), replace, &replaced).ok());
  EXPECT_EQ(replaced.desired_lrp().strategy().stages_size(), 1);
  replace.mutable_desired_lrp()->clear_strategy();
  ASSERT_TRUE(service.apps->ReplaceDesiredLRP(Context().get(), replace, &replaced).ok());
  EXPECT_EQ(replaced.desired_lrp().strategy().stages_size(), 0) << "all of it becomes what is given";
  EXPECT_FALSE(replaced.desired_lrp().strategy().has_start_timeout_ms());
}

}  // namespace
}  // namespace baton
