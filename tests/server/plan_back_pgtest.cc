// PlanRollBack and PlanCancel: what a way back would do, and that it is not done. ForecastRoll: what is to come anyway.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/scripted_cell.h"

namespace baton {
namespace {

using grpc::StatusCode;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;

class WaysBack : public ::testing::Test {
 protected:
  void SetUp() override {
    service = std::make_unique<RunningService>();
    service->WaitForLead();
    cell = std::make_unique<ScriptedCell>(*service, "back");
    cell->Hello();
  }
  std::unique_ptr<RunningService> service;
  std::unique_ptr<ScriptedCell> cell;

  grpc::Status PlanBack(const std::string& guid, const std::string& to, v2::PlanUpdateResponse& plan) {
    v2::PlanRollBackRequest request;
    request.set_process_guid(guid);
    request.set_definition_identifier(to);
    return service->rolls->PlanRollBack(Context().get(), request, &plan);
  }
  grpc::Status RollBack(const std::string& guid, const std::string& to) {
    v2::RollBackRequest request;
    request.set_process_guid(guid);
    request.set_definition_identifier(to);
    v2::UpdateDesiredLRPResponse answer;
    return service->rolls->RollBack(Context().get(), request, &answer);
  }
  grpc::Status PlanCancel(const std::string& guid, const std::string& roll, v2::PlanUpdateResponse& plan) {
    v2::PlanCancelRequest request;
    request.set_process_guid(guid);
    request.set_roll_id(roll);
    return service->rolls->PlanCancel(Context().get(), request, &plan);
  }
  grpc::Status Forecast(const std::string& guid, const std::string& roll, v2::PlanUpdateResponse& plan) {
    v2::ForecastRollRequest request;
    request.set_process_guid(guid);
    request.set_roll_id(roll);
    return service->rolls->ForecastRoll(Context().get(), request, &plan);
  }
  grpc::Status Cancel(const std::string& guid, const std::string& roll) {
    v2::ChangeRollRequest request;
    request.set_process_guid(guid);
    request.set_roll_id(roll);
    v2::ChangeRollResponse answer;
    return service->rolls->CancelRoll(Context().get(), request, &answer);
  }
  v2::Roll LatestRoll(const std::string& guid) {
    v2::GetRollRequest request;
    request.set_process_guid(guid);
    v2::GetRollResponse answer;
    EXPECT_TRUE(service->rolls->GetRoll(Context().get(), request, &answer).ok());
    return answer.roll();
  }
  // An app whose first roll is done: v1 is proven.
  v2::DesireLRPRequest Proven(const std::string& guid) {
    v2::DesireLRPRequest app = RunningService::SmallApp(guid);
    app.mutable_desired_lrp()->mutable_strategy()->set_min_healthy_time_ms(0);
    app.mutable_desired_lrp()->mutable_strategy()->set_bake_time_ms(0);
    EXPECT_TRUE(service->Desire(app).ok());
    StartOne();
    EXPECT_TRUE(Eventually([&] { return LatestRoll(guid).state() == v2::COMPLETED; }));
    return app;
  }
  void StartOne() {
    const v2::RunOrder order = cell->NextRun();
    cell->Report(ScriptedCell::Claimed(order.actual_id()));
    cell->Report(ScriptedCell::Started(order.actual_id()));
  }
  void UpdateTo(const v2::DesireLRPRequest& app, const std::string& name) {
    v2::UpdateDesiredLRPRequest request;
    request.set_process_guid(app.desired_lrp().process_guid());
    v2::DesiredLRPUpdate& update = *request.mutable_update();
    *update.mutable_desired_lrp()->mutable_definition() = app.desired_lrp().definition();
    auto* variable =
        update.mutable_desired_lrp()->mutable_definition()->mutable_run_info()->add_environment_variables();
    variable->set_name("VERSION");
    variable->set_value(name);
    update.set_update_identifier(name);
    v2::UpdateDesiredLRPResponse answer;
    const grpc::Status status = service->Update(request, &answer);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  static std::vector<std::string> Kinds(const v2::PlanUpdateResponse& plan) {
    std::vector<std::string> kinds;
    for (const auto& step : plan.steps()) kinds.push_back(step.kind());
    return kinds;
  }
};

TEST_F(WaysBack, ARollBackIsPlannedAndNotDone) {
  const v2::DesireLRPRequest app = Proven("undone");
  const std::string first = LatestRoll("undone").target_definition();
  UpdateTo(app, "v2");
  const v2::Roll open = LatestRoll("undone");
  ASSERT_EQ(open.target_definition(), "v2");
  v2::PlanUpdateResponse plan;
  const grpc::Status status = PlanBack("undone", "", plan);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(plan.target_definition(), first) << "the healthy one";
  EXPECT_EQ(plan.ends(), v2::COMPLETED) << plan.DebugString();
  EXPECT_TRUE(plan.plan_token().empty());
  std::vector<std::string> fields;
  for (const auto& change : plan.changes()) fields.push_back(change.field());
  EXPECT_THAT(fields, Contains("definition.definition_identifier"));
  const v2::Roll after = LatestRoll("undone");
  EXPECT_EQ(after.roll_id(), open.roll_id()) << "nothing is done";
  EXPECT_EQ(after.state(), v2::ROLLING);
}

TEST_F(WaysBack, ACancelIsPlannedAndNotDone) {
  const v2::DesireLRPRequest app = Proven("cancelled");
  const std::string first = LatestRoll("cancelled").target_definition();
  UpdateTo(app, "v2");
  const v2::Roll open = LatestRoll("cancelled");
  v2::PlanUpdateResponse plan;
  const grpc::Status status = PlanCancel("cancelled", open.roll_id(), plan);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_FALSE(plan.opens_roll());
  EXPECT_EQ(plan.source_definition(), first);
  EXPECT_EQ(plan.target_definition(), "v2");
  EXPECT_EQ(plan.ends(), v2::ROLLED_BACK) << plan.DebugString();
  EXPECT_THAT(Kinds(plan), IsSupersetOf({"state"}));
  EXPECT_EQ(LatestRoll("cancelled").state(), v2::ROLLING) << "nothing is done";
  EXPECT_EQ(LatestRoll("cancelled").roll_id(), open.roll_id());
  ASSERT_TRUE(Cancel("cancelled", open.roll_id()).ok());
  EXPECT_TRUE(Eventually([&] { return LatestRoll("cancelled").state() == plan.ends(); })) << "as it was said";
}

TEST_F(WaysBack, OfAnOpenRollItIsSaidWhatIsStillToCome) {
  const v2::DesireLRPRequest app = Proven("onwards");
  const std::string first = LatestRoll("onwards").target_definition();
  UpdateTo(app, "v2");
  const v2::Roll open = LatestRoll("onwards");
  v2::PlanUpdateResponse plan;
  const grpc::Status status = Forecast("onwards", open.roll_id(), plan);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_FALSE(plan.opens_roll());
  EXPECT_EQ(plan.source_definition(), first);
  EXPECT_EQ(plan.target_definition(), "v2");
  EXPECT_EQ(plan.ends(), v2::COMPLETED) << plan.DebugString();
  EXPECT_GT(plan.takes_ms(), 0);
  EXPECT_THAT(Kinds(plan), IsSupersetOf({"handed_over", "withdrawn", "state"}));
  EXPECT_THAT(Kinds(plan), Not(Contains("opened"))) << "that is done";
  EXPECT_THAT(plan.changes(), IsEmpty());
  EXPECT_TRUE(plan.plan_token().empty());
  EXPECT_EQ(LatestRoll("onwards").revision(), open.revision()) << "nothing is done";
  StartOne();
  ASSERT_TRUE(Eventually([&] { return LatestRoll("onwards").state() == plan.ends(); })) << "as it was said";
  EXPECT_EQ(Forecast("onwards", open.roll_id(), plan).error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(Forecast("nobody", "", plan).error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(Forecast("", "", plan).error_code(), StatusCode::INVALID_ARGUMENT);
  UpdateTo(app, "v3");
  EXPECT_EQ(Forecast("onwards", open.roll_id(), plan).error_code(), StatusCode::ABORTED);
}

// Each is asked of the plan and of the call itself.
TEST_F(WaysBack, AreRefusedAsTheCallsAre) {
  const v2::DesireLRPRequest app = Proven("steady");
  v2::PlanUpdateResponse plan;
  const auto same = [](const grpc::Status& planned, const grpc::Status& done, StatusCode code) {
    EXPECT_EQ(planned.error_code(), code) << planned.error_message();
    EXPECT_EQ(done.error_code(), code) << done.error_message();
    EXPECT_EQ(planned.error_message(), done.error_message());
  };
  same(PlanBack("nobody", "", plan), RollBack("nobody", ""), StatusCode::NOT_FOUND);
  same(PlanBack("steady", "", plan), RollBack("steady", ""), StatusCode::FAILED_PRECONDITION);
  same(PlanBack("steady", "gone", plan), RollBack("steady", "gone"), StatusCode::NOT_FOUND);
  same(PlanBack("", "", plan), RollBack("", ""), StatusCode::INVALID_ARGUMENT);
  same(PlanCancel("nobody", "", plan), Cancel("nobody", ""), StatusCode::NOT_FOUND);
  same(PlanCancel("steady", "", plan), Cancel("steady", ""), StatusCode::NOT_FOUND);
  UpdateTo(app, "v2");
  same(PlanBack("steady", "v2", plan), RollBack("steady", "v2"), StatusCode::FAILED_PRECONDITION);
  same(PlanCancel("steady", "another", plan), Cancel("steady", "another"), StatusCode::ABORTED);
  EXPECT_THAT(plan.steps(), IsEmpty());
}

}  // namespace
}  // namespace baton
