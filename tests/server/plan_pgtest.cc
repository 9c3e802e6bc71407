// PlanUpdate, its token, and waiting for a roll.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "tests/server/scripted_cell.h"

namespace baton {
namespace {

using grpc::StatusCode;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class Plans : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    service = new RunningService();
    service->WaitForLead();
  }
  static void TearDownTestSuite() { delete service; }
  static RunningService* service;

  // The app with another value of a secret, in a definition of its own.
  static v2::PlanUpdateRequest UpdateOf(const v2::DesireLRPRequest& app, const std::string& name,
                                        const std::string& secret) {
    v2::PlanUpdateRequest request;
    request.set_process_guid(app.desired_lrp().process_guid());
    v2::DesiredLRPUpdate& update = *request.mutable_update();
    *update.mutable_desired_lrp()->mutable_definition() = app.desired_lrp().definition();
    auto* variable =
        update.mutable_desired_lrp()->mutable_definition()->mutable_run_info()->add_environment_variables();
    variable->set_name("TOKEN");
    variable->set_value(secret);
    update.set_update_identifier(name);
    return request;
  }
  static grpc::Status Plan(const v2::PlanUpdateRequest& request, v2::PlanUpdateResponse& plan) {
    return service->apps->PlanUpdate(Context().get(), request, &plan);
  }
  static std::vector<std::string> Fields(const v2::PlanUpdateResponse& plan) {
    std::vector<std::string> fields;
    for (const auto& change : plan.changes()) fields.push_back(change.field());
    return fields;
  }
};
RunningService* Plans::service = nullptr;

TEST_F(Plans, NameEachFieldThatWouldChangeAndNoSecret) {
  const v2::DesireLRPRequest app = RunningService::SmallApp("planned", 2);
  ASSERT_TRUE(service->Desire(app).ok());
  v2::PlanUpdateRequest request = UpdateOf(app, "v2", "hunter2");
  request.mutable_update()->set_annotation("new");
  request.mutable_update()->mutable_strategy()->mutable_max_in_flight()->set_count(2);
  v2::PlanUpdateResponse plan;
  ASSERT_TRUE(Plan(request, plan).ok());
  EXPECT_THAT(Fields(plan),
              ::testing::IsSupersetOf({"annotation", "strategy.max_in_flight.count", "definition.definition_identifier",
                                       "definition.run_info.environment_variables[0]"}));
  EXPECT_THAT(Fields(plan), Not(Contains("definition"))) << "only what differs in it";
  EXPECT_THAT(plan.DebugString(), Not(HasSubstr("hunter")));
  EXPECT_TRUE(plan.opens_roll());
  EXPECT_EQ(plan.target_definition(), "v2");
  EXPECT_TRUE(service->Instances("planned").size() <= 2) << "nothing is done";
  v2::GetDefinitionRequest get;
  get.set_process_guid("planned");
  get.set_definition_identifier("v2");
  v2::GetDefinitionResponse got;
  EXPECT_EQ(service->definitions->GetDefinition(Context().get(), get, &got).error_code(), StatusCode::NOT_FOUND);
}

TEST_F(Plans, WithoutRoomTheySayThatNoCellCanTakeIt) {
  ASSERT_TRUE(service->Desire(RunningService::SmallApp("roomless")).ok());
  v2::PlanUpdateResponse plan;
  ASSERT_TRUE(Plan(UpdateOf(RunningService::SmallApp("roomless"), "v2", "x"), plan).ok());
  EXPECT_THAT(plan.warnings(), Contains(HasSubstr("no cell can take an instance of")));
  EXPECT_EQ(plan.takes_ms(), 0) << "it would not come to an end";
  EXPECT_EQ(plan.measured(), 0);
}

TEST_F(Plans, GoThroughToTheEndWithCellsThatHaveRoom) {
  ScriptedCell cell(*service, "roomy");
  cell.Hello();
  const v2::DesireLRPRequest app = RunningService::SmallApp("rolled", 2);
  ASSERT_TRUE(service->Desire(app).ok());
  for (int own = 0; own < 2;) {
    const v2::RunOrder order = cell.NextRun();  // those of other tests want room, too
    own += order.process_guid() == "rolled" ? 1 : 0;
    cell.Report(ScriptedCell::Claimed(order.actual_id()));
    cell.Report(ScriptedCell::Started(order.actual_id()));
  }
  ASSERT_TRUE(Eventually([&] {
    v2::PlanUpdateResponse plan;
    return Plan(UpdateOf(app, "v2", "x"), plan).ok() && plan.instances_now() == 2;
  }));
  v2::PlanUpdateResponse plan;
  ASSERT_TRUE(Plan(UpdateOf(app, "v2", "x"), plan).ok());
  EXPECT_EQ(plan.ends(), v2::COMPLETED) << plan.DebugString();
  EXPECT_GT(plan.takes_ms(), 2 * 10'000) << "min_healthy_time of each";
  EXPECT_EQ(plan.restarts(), 2);
  EXPECT_EQ(plan.peak_instances(), 3) << "max_surge 1";
  EXPECT_GT(plan.memory_free_mb(), 0);
  std::vector<std::string> kinds;
  for (const auto& step : plan.steps()) kinds.push_back(step.kind());
  EXPECT_THAT(kinds,
              ::testing::IsSupersetOf({"opened", "surged", "handed_over", "withdrawn", "stop_ordered", "state"}));
  v2::RemoveDesiredLRPRequest remove;
  remove.set_process_guid("rolled");
  v2::RemoveDesiredLRPResponse removed;
  EXPECT_TRUE(service->apps->RemoveDesiredLRP(Context().get(), remove, &removed).ok());
}

TEST_F(Plans, AreRefusedAsTheUpdateWouldBe) {
  v2::PlanUpdateResponse plan;
  EXPECT_EQ(Plan(UpdateOf(RunningService::SmallApp("unknown"), "v2", "x"), plan).error_code(), StatusCode::NOT_FOUND);
  ASSERT_TRUE(service->Desire(RunningService::SmallApp("refused")).ok());
  v2::PlanUpdateRequest both = UpdateOf(RunningService::SmallApp("refused"), "v2", "x");
  *both.mutable_create() = RunningService::SmallApp("refused").desired_lrp();
  EXPECT_EQ(Plan(both, plan).error_code(), StatusCode::INVALID_ARGUMENT);
  v2::PlanUpdateRequest anothers;
  anothers.set_process_guid("refused");
  *anothers.mutable_replace() = RunningService::SmallApp("another").desired_lrp();
  EXPECT_EQ(Plan(anothers, plan).error_code(), StatusCode::INVALID_ARGUMENT);
  v2::PlanUpdateRequest wrong = UpdateOf(RunningService::SmallApp("refused"), "v2", "x");
  wrong.mutable_update()->set_instances(-1);
  EXPECT_EQ(Plan(wrong, plan).error_code(), StatusCode::INVALID_ARGUMENT);
}

TEST_F(Plans, ANewAppIsPlannedToo) {
  v2::PlanUpdateRequest request;
  request.set_process_guid("newborn");
  *request.mutable_create() = RunningService::SmallApp("newborn", 3).desired_lrp();
  v2::PlanUpdateResponse plan;
  ASSERT_TRUE(Plan(request, plan).ok());
  EXPECT_TRUE(plan.opens_roll());
  EXPECT_EQ(plan.source_definition(), "");
  EXPECT_TRUE(plan.plan_token().empty());
}

TEST_F(Plans, TheTokenIsTakenOnlyWhileNothingHasChanged) {
  const v2::DesireLRPRequest app = RunningService::SmallApp("token", 1);
  ASSERT_TRUE(service->Desire(app).ok());
  const v2::PlanUpdateRequest planned = UpdateOf(app, "v2", "x");
  v2::PlanUpdateResponse plan;
  ASSERT_TRUE(Plan(planned, plan).ok());

  v2::UpdateDesiredLRPRequest request;
  request.set_process_guid("token");
  *request.mutable_update() = planned.update();
  request.mutable_update()->set_plan_token(plan.plan_token());
  v2::UpdateDesiredLRPRequest other = request;
  other.mutable_update()->set_annotation("not as planned");
  EXPECT_EQ(service->Update(other).error_code(), StatusCode::ABORTED) << "another update than the planned one";

  v2::UpdateDesiredLRPRequest between;
  between.set_process_guid("token");
  between.mutable_update()->set_annotation("somebody was faster");
  ASSERT_TRUE(service->Update(between).ok());
  const grpc::Status late = service->Update(request);
  EXPECT_EQ(late.error_code(), StatusCode::ABORTED);
  EXPECT_THAT(late.error_message(), HasSubstr("plan again"));

  ASSERT_TRUE(Plan(planned, plan).ok());
  request.mutable_update()->set_plan_token(plan.plan_token());
  v2::UpdateDesiredLRPResponse updated;
  ASSERT_TRUE(service->Update(request, &updated).ok());
  EXPECT_EQ(updated.roll().target_definition(), "v2");
}

// `apply` printed the changes alone, and each was a whole forecast: seconds of a reader's time for a big app.
TEST_F(Plans, OfTheChangesAloneThereIsNoForecast) {
  const v2::DesireLRPRequest app = RunningService::SmallApp("changes", 2);
  ASSERT_TRUE(service->Desire(app).ok());
  v2::PlanUpdateRequest request = UpdateOf(app, "v2", "x");
  v2::PlanUpdateResponse whole, changes;
  ASSERT_TRUE(Plan(request, whole).ok());
  request.set_changes_only(true);
  ASSERT_TRUE(Plan(request, changes).ok());
  EXPECT_EQ(Fields(changes), Fields(whole));
  EXPECT_EQ(changes.plan_token(), whole.plan_token());
  EXPECT_TRUE(changes.opens_roll());
  EXPECT_EQ(changes.source_definition(), whole.source_definition());
  EXPECT_EQ(changes.target_definition(), "v2");
  EXPECT_GT(whole.steps_size(), 0);
  v2::PlanUpdateResponse only;
  only.mutable_changes()->CopyFrom(changes.changes());
  only.set_plan_token(changes.plan_token());
  only.set_opens_roll(true);
  only.set_source_definition(changes.source_definition());
  only.set_target_definition(changes.target_definition());
  EXPECT_EQ(changes.DebugString(), only.DebugString());
}

TEST_F(Plans, OfAReplacementTheExpectedAppIsCompared) {
  const v2::DesireLRPRequest app = RunningService::SmallApp("expected");
  v2::DesireLRPResponse desired;
  ASSERT_TRUE(service->Desire(app, &desired).ok());
  v2::ReplaceDesiredLRPRequest replace;
  *replace.mutable_desired_lrp() = app.desired_lrp();
  replace.mutable_desired_lrp()->set_annotation("mine");
  *replace.mutable_expected()->mutable_modification_tag() = desired.desired_lrp().modification_tag();
  v2::PlanUpdateRequest plan;
  plan.set_process_guid("expected");
  *plan.mutable_replace() = replace.desired_lrp();
  *plan.mutable_expected() = replace.expected();
  v2::PlanUpdateResponse planned;
  ASSERT_TRUE(Plan(plan, planned).ok());
  replace.set_plan_token(planned.plan_token());

  v2::UpdateDesiredLRPRequest between;
  between.set_process_guid("expected");
  between.mutable_update()->set_annotation("somebody was faster");
  ASSERT_TRUE(service->Update(between).ok());
  EXPECT_EQ(Plan(plan, planned).error_code(), StatusCode::ABORTED);
  v2::UpdateDesiredLRPResponse answer;
  replace.clear_plan_token();
  EXPECT_EQ(service->apps->ReplaceDesiredLRP(Context().get(), replace, &answer).error_code(), StatusCode::ABORTED);
  *replace.mutable_expected()->mutable_modification_tag() = [] {
    v2::GetDesiredLRPRequest get;
    get.set_process_guid("expected");
    v2::GetDesiredLRPResponse got;
    EXPECT_TRUE(service->apps->GetDesiredLRP(Context().get(), get, &got).ok());
    return got.desired_lrp().modification_tag();
  }();
  EXPECT_TRUE(service->apps->ReplaceDesiredLRP(Context().get(), replace, &answer).ok());
}

TEST_F(Plans, PortAliasesAndWhereRoutesLeadByThemAreChanges) {
  v2::DesireLRPRequest app = RunningService::SmallApp("aliased");
  v2::DesiredLRP& lrp = *app.mutable_desired_lrp();
  (*lrp.mutable_routes()->mutable_routes())["cf-router"] = R"([{"hostnames":["aliased.example"],"port":8080}])";
  lrp.mutable_definition()->mutable_run_info()->clear_ports();
  for (const std::uint32_t port : {8080, 9090}) lrp.mutable_definition()->mutable_run_info()->add_ports(port);
  ASSERT_TRUE(service->Desire(app).ok());
  v2::PlanUpdateRequest request = UpdateOf(app, "v2", "x");
  auto* run_info = request.mutable_update()->mutable_desired_lrp()->mutable_definition()->mutable_run_info();
  run_info->clear_ports();
  for (const std::uint32_t port : {7070, 9090}) run_info->add_ports(port);
  v2::PortAlias& alias = *request.mutable_update()->add_port_aliases();
  alias.set_route_port(8080);
  alias.set_definition_port(9090);
  v2::PlanUpdateResponse plan;
  const grpc::Status status = Plan(request, plan);
  ASSERT_TRUE(status.ok()) << status.error_message();
  std::vector<std::string> lines;
  for (const auto& change : plan.changes()) lines.push_back(change.field() + " " + change.before() + "->" + change.after());
  EXPECT_THAT(lines, ::testing::IsSupersetOf({"port_aliases.8080 ->9090", "route_ports.aliased.example 8080->9090"}));
}

TEST_F(Plans, AWaitEndsWithTheRollsNextRevisionAndIsOfNoOtherRoll) {
  const v2::DesireLRPRequest app = RunningService::SmallApp("waited");
  v2::DesireLRPResponse desired;
  ASSERT_TRUE(service->Desire(app, &desired).ok());
  v2::WaitRollRequest wait;
  wait.set_roll_id(desired.roll().roll_id());
  wait.set_revision(desired.roll().revision());
  auto waiting = std::async(std::launch::async, [&] {
    v2::WaitRollResponse answer;
    EXPECT_TRUE(service->rolls->WaitRoll(Context().get(), wait, &answer).ok());
    return answer.roll();
  });
  v2::UpdateDesiredLRPRequest update;
  update.set_process_guid("waited");
  *update.mutable_update() = UpdateOf(app, "v2", "x").update();
  v2::UpdateDesiredLRPResponse updated;
  ASSERT_TRUE(service->Update(update, &updated).ok());
  const v2::Roll told = waiting.get();
  EXPECT_EQ(told.roll_id(), desired.roll().roll_id()) << "and not the newer one";
  EXPECT_EQ(told.state(), v2::SUPERSEDED);

  v2::WaitRollResponse answer;
  grpc::ClientContext brief;
  brief.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(300));
  wait.set_roll_id(updated.roll().roll_id());
  wait.set_until_over(true);
  EXPECT_EQ(service->rolls->WaitRoll(&brief, wait, &answer).error_code(), StatusCode::DEADLINE_EXCEEDED);
  wait.set_roll_id("nobody");
  EXPECT_EQ(service->rolls->WaitRoll(Context().get(), wait, &answer).error_code(), StatusCode::NOT_FOUND);
  wait.clear_roll_id();
  EXPECT_EQ(service->rolls->WaitRoll(Context().get(), wait, &answer).error_code(), StatusCode::INVALID_ARGUMENT);
}

TEST_F(Plans, AWatchGoesOnAfterTheLastStepThatWasSeen) {
  v2::DesireLRPResponse desired;
  ASSERT_TRUE(service->Desire(RunningService::SmallApp("watched"), &desired).ok());
  v2::WatchRollRequest request;
  request.set_roll_id(desired.roll().roll_id());
  const auto first = [&](std::int64_t after) {
    request.set_after_sequence(after);
    const auto context = Context();
    const auto stream = service->rolls->WatchRoll(context.get(), request);
    v2::WatchRollResponse told;
    EXPECT_TRUE(stream->Read(&told));
    context->TryCancel();
    return told;
  };
  const v2::WatchRollResponse all = first(0);
  ASSERT_GE(all.steps_size(), 2) << "opened, filled";
  const v2::WatchRollResponse rest = first(all.steps(0).sequence());
  ASSERT_EQ(rest.steps_size(), all.steps_size() - 1);
  EXPECT_EQ(rest.steps(0).sequence(), all.steps(1).sequence());
  EXPECT_EQ(first(all.roll().revision()).steps_size(), 0);
}

}  // namespace
}  // namespace baton
