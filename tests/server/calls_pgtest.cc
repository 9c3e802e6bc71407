// Calls in order: what they answer, idempotency and health.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/model/version.h"
#include "tests/server/running_service.h"

namespace baton {
namespace {

using grpc::StatusCode;
using ::testing::HasSubstr;

class Calls : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    service = new RunningService();
    service->WaitForLead();
  }
  static void TearDownTestSuite() { delete service; }
  static RunningService* service;
};
RunningService* Calls::service = nullptr;

TEST_F(Calls, ADesiredAppIsThereWithItsDefinitionAndTheRollOfItsFirstStart) {
  v2::DesireLRPResponse desired;
  ASSERT_TRUE(service->Desire(RunningService::SmallApp("first", 2), &desired).ok());
  EXPECT_EQ(desired.roll().state(), v2::ROLLING);
  EXPECT_EQ(desired.roll().source_definition(), "");
  EXPECT_EQ(desired.roll().target_definition(), desired.desired_lrp().active_definition());

  v2::GetDefinitionRequest get;
  get.set_process_guid("first");
  get.set_definition_identifier(desired.desired_lrp().active_definition());
  v2::GetDefinitionResponse got;
  ASSERT_TRUE(service->definitions->GetDefinition(Context().get(), get, &got).ok());
  EXPECT_EQ(got.definition().definition().run_info().action().run_action().path(), "/bin/true");
  EXPECT_TRUE(Eventually([] { return service->Instances("first").size() == 2; })) << "rows wait for a cell";
}

TEST_F(Calls, ARepeatedCallWithItsKeyIsOneCall) {
  v2::DesireLRPRequest request = RunningService::SmallApp("keyed");
  request.set_idempotency_key("key-1");
  v2::DesireLRPResponse first, second;
  ASSERT_TRUE(service->Desire(request, &first).ok());
  ASSERT_TRUE(service->Desire(request, &second).ok()) << "without the key: ALREADY_EXISTS";
  EXPECT_EQ(first.SerializeAsString(), second.SerializeAsString());
  request.mutable_desired_lrp()->set_annotation("other");
  EXPECT_EQ(service->Desire(request).error_code(), StatusCode::ABORTED) << "the same key for another request";
  request.clear_idempotency_key();
  EXPECT_EQ(service->Desire(request).error_code(), StatusCode::ALREADY_EXISTS);
}

TEST_F(Calls, SecretsAreRedactedUnlessAskedFor) {
  v2::DesireLRPRequest request = RunningService::SmallApp("secret");
  auto* variable = request.mutable_desired_lrp()->mutable_definition()->mutable_run_info()->add_environment_variables();
  variable->set_name("TOKEN");
  variable->set_value("hunter2");
  request.mutable_desired_lrp()->set_image_username("me");
  request.mutable_desired_lrp()->set_image_password("hunter3");
  v2::DesireLRPResponse desired;
  ASSERT_TRUE(service->Desire(request, &desired).ok());
  EXPECT_THAT(desired.DebugString(), ::testing::Not(HasSubstr("hunter")));
  v2::GetDefinitionRequest get;
  get.set_process_guid("secret");
  get.set_definition_identifier(desired.desired_lrp().active_definition());
  v2::GetDefinitionResponse got;
  ASSERT_TRUE(service->definitions->GetDefinition(Context().get(), get, &got).ok());
  EXPECT_THAT(got.DebugString(), ::testing::Not(HasSubstr("hunter")));
  get.set_reveal_secrets(true);
  ASSERT_TRUE(service->definitions->GetDefinition(Context().get(), get, &got).ok());
  EXPECT_THAT(got.DebugString(), HasSubstr("hunter2"));
}

TEST_F(Calls, PauseAndResumeGoByTheLaw) {
  ASSERT_TRUE(service->Desire(RunningService::SmallApp("paused")).ok());
  v2::ChangeRollRequest change;
  change.set_process_guid("paused");
  change.set_reason("lunch");
  v2::ChangeRollResponse changed;
  ASSERT_TRUE(service->rolls->PauseRoll(Context().get(), change, &changed).ok());
  EXPECT_EQ(changed.roll().state(), v2::PAUSED);
  const grpc::Status retried = service->rolls->RetryRoll(Context().get(), change, &changed);
  EXPECT_EQ(retried.error_code(), StatusCode::FAILED_PRECONDITION) << "only a held roll can be retried";
  ASSERT_TRUE(service->rolls->ResumeRoll(Context().get(), change, &changed).ok());
  EXPECT_EQ(changed.roll().state(), v2::ROLLING);
  change.set_roll_id("another");
  EXPECT_EQ(service->rolls->PauseRoll(Context().get(), change, &changed).error_code(), StatusCode::ABORTED);
}

TEST_F(Calls, StagesAreCheckedKeptAndPromotedOnlyWhereTheRollWaits) {
  v2::DesireLRPRequest request = RunningService::SmallApp("staged");
  auto& stages = *request.mutable_desired_lrp()->mutable_strategy()->mutable_stages();
  v2::Stage& first = *stages.Add();
  first.mutable_instances()->set_percent(0);
  first.set_duration_ms(1000);
  grpc::Status refused = service->Desire(request);
  EXPECT_EQ(refused.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(refused.error_message(), HasSubstr("strategy.stages[0].instances.percent is 0"));
  first.mutable_instances()->set_percent(20);
  first.set_promotion(false);
  refused = service->Desire(request);
  EXPECT_THAT(refused.error_message(), HasSubstr("strategy.stages[0] does not say until when"));
  first.set_duration_ms(-1);
  EXPECT_THAT(service->Desire(request).error_message(), HasSubstr("strategy.stages[0].duration_ms is -1"));
  first.set_duration_ms(1000);
  v2::Stage& second = *stages.Add();
  second.mutable_instances()->set_count(2);
  second.set_promotion(true);
  v2::DesireLRPRequest many = request;
  auto& too_many = *many.mutable_desired_lrp()->mutable_strategy()->mutable_stages();
  while (too_many.size() < 101) *too_many.Add() = second;
  EXPECT_THAT(service->Desire(many).error_message(), HasSubstr("strategy.stages has 101 entries; it takes 100 at most"));
  v2::DesireLRPResponse desired;
  ASSERT_TRUE(service->Desire(request, &desired).ok());
  ASSERT_EQ(desired.desired_lrp().strategy().stages_size(), 2);
  EXPECT_EQ(desired.desired_lrp().strategy().stages(0).DebugString(), first.DebugString());
  EXPECT_EQ(desired.desired_lrp().strategy().stages(1).DebugString(), second.DebugString());
  v2::ChangeRollRequest change;
  change.set_process_guid("staged");
  v2::ChangeRollResponse changed;
  const grpc::Status status = service->rolls->PromoteRoll(Context().get(), change, &changed);
  EXPECT_EQ(status.error_code(), StatusCode::FAILED_PRECONDITION) << status.error_message();
}

TEST_F(Calls, AReportThatIsRepeatedChangesNothingAndSaysSo) {
  v2::DesireLRPRequest app = RunningService::SmallApp("reported");
  app.mutable_desired_lrp()->mutable_strategy()->set_min_healthy_time_ms(0);
  ASSERT_TRUE(service->Desire(app).ok());
  v2::StartActualLRPRequest start;
  start.mutable_slot()->set_process_guid("reported");
  start.mutable_instance_key()->set_instance_guid("instance");
  start.mutable_instance_key()->set_cell_id("cell");
  start.mutable_net_info()->set_address("10.0.0.1");
  v1::PortMapping& port = *start.mutable_net_info()->add_ports();
  port.set_container_port(8080);
  port.set_host_port(61001);
  start.set_routable(true);
  v2::ActualLRPLifecycleResponse answer;
  ASSERT_TRUE(service->lrps->StartActualLRP(Context().get(), start, &answer).ok());
  EXPECT_TRUE(answer.changed());
  ASSERT_TRUE(service->lrps->StartActualLRP(Context().get(), start, &answer).ok());
  EXPECT_FALSE(answer.changed());
}

TEST_F(Calls, ARollThatIsFinishedWithinTheCallIsNamedInItsAnswer) {
  v2::DesireLRPResponse desired;
  ASSERT_TRUE(service->Desire(RunningService::SmallApp("none", 0), &desired).ok());
  EXPECT_EQ(desired.roll().state(), v2::COMPLETED) << desired.DebugString();
  v2::UpdateDesiredLRPRequest update;
  update.set_process_guid("none");
  *update.mutable_update()->mutable_desired_lrp()->mutable_definition() =
      RunningService::SmallApp("none").desired_lrp().definition();
  update.mutable_update()->mutable_desired_lrp()->mutable_definition()->mutable_resource()->set_memory_mb(32);
  update.mutable_update()->set_update_identifier("v2");
  v2::UpdateDesiredLRPResponse updated;
  ASSERT_TRUE(service->Update(update, &updated).ok());
  EXPECT_EQ(updated.roll().target_definition(), "v2");
  EXPECT_EQ(updated.roll().state(), v2::COMPLETED);
  EXPECT_FALSE(updated.roll().roll_id().empty());
}

TEST_F(Calls, AnUpdateSupersedesTheOpenRollAndARemovalEndsIt) {
  v2::DesireLRPResponse desired;
  ASSERT_TRUE(service->Desire(RunningService::SmallApp("superseded"), &desired).ok());
  v2::UpdateDesiredLRPRequest update;
  update.set_process_guid("superseded");
  *update.mutable_update()->mutable_desired_lrp()->mutable_definition() =
      RunningService::SmallApp("superseded").desired_lrp().definition();
  update.mutable_update()->mutable_desired_lrp()->mutable_definition()->mutable_resource()->set_memory_mb(32);
  update.mutable_update()->set_update_identifier("v2");
  v2::UpdateDesiredLRPResponse updated;
  ASSERT_TRUE(service->Update(update, &updated).ok());
  EXPECT_TRUE(updated.changed());
  EXPECT_EQ(updated.roll().target_definition(), "v2");
  v2::GetRollRequest get;
  get.set_roll_id(desired.roll().roll_id());
  v2::GetRollResponse got;
  ASSERT_TRUE(service->rolls->GetRoll(Context().get(), get, &got).ok());
  EXPECT_EQ(got.roll().state(), v2::SUPERSEDED);

  ASSERT_TRUE(service->Update(update, &updated).ok());
  EXPECT_FALSE(updated.changed()) << "the same again changes nothing";

  v2::RemoveDesiredLRPRequest remove;
  remove.set_process_guid("superseded");
  v2::RemoveDesiredLRPResponse removed;
  ASSERT_TRUE(service->apps->RemoveDesiredLRP(Context().get(), remove, &removed).ok());
  get.set_roll_id(updated.roll().roll_id());
  ASSERT_TRUE(service->rolls->GetRoll(Context().get(), get, &got).ok());
  EXPECT_EQ(got.roll().state(), v2::YIELDED);
}

TEST_F(Calls, AWatchEndsWithItsRoll) {
  v2::DesireLRPResponse desired;
  ASSERT_TRUE(service->Desire(RunningService::SmallApp("watched"), &desired).ok());
  v2::WatchRollRequest request;
  request.set_process_guid("watched");
  const auto context = Context();
  const auto watch = service->rolls->WatchRoll(context.get(), request);
  v2::WatchRollResponse seen;
  ASSERT_TRUE(watch->Read(&seen));
  EXPECT_EQ(seen.roll().roll_id(), desired.roll().roll_id());
  v2::RemoveDesiredLRPRequest remove;
  remove.set_process_guid("watched");
  v2::RemoveDesiredLRPResponse removed;
  ASSERT_TRUE(service->apps->RemoveDesiredLRP(Context().get(), remove, &removed).ok());
  std::int64_t last = 0;
  while (watch->Read(&seen)) {
    for (const v2::RollStep& step : seen.steps()) {
      EXPECT_GT(step.sequence(), last);
      last = step.sequence();
    }
  }
  EXPECT_TRUE(watch->Finish().ok());
  EXPECT_EQ(seen.roll().state(), v2::YIELDED);
}

TEST_F(Calls, VersionsComeFromTheDataAndPingFromTheLease) {
  v2::VersionsResponse versions;
  ASSERT_TRUE(service->admin->Versions(Context().get(), {}, &versions).ok());
  EXPECT_EQ(versions.schema_version(), kSchemaSemver);
  EXPECT_EQ(versions.schema_migration(), kSchemaMigration);
  EXPECT_THAT(versions.postgres_version(), HasSubstr("15."));
  v2::PingResponse ping;
  ASSERT_TRUE(service->admin->Ping(Context().get(), {}, &ping).ok());
  EXPECT_TRUE(ping.available());
  EXPECT_EQ(ping.leader_address(), service->address());
  EXPECT_GE(ping.epoch(), 1);
}

}  // namespace
}  // namespace baton
