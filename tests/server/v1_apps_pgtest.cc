// baton.v1 over a whole batond: apps, answered by baton.v2's handlers.
#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>

#include "tests/server/old_api.h"

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(OldApi, AnAppIsReadBackAsItWasDesired) {
  const v1::DesiredLRP app = App("whole", 2);
  EXPECT_FALSE(Desire(app).has_error());
  v1::DesiredLRP got = Get("whole").desired_lrp();
  EXPECT_NE(got.modification_tag().epoch(), "");
  got.clear_modification_tag();
  std::string report;
  google::protobuf::util::MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&report);
  EXPECT_TRUE(differencer.Compare(app, got)) << report;
}

TEST_F(OldApi, ListsShowTheSameAsTheApp) {
  ASSERT_FALSE(Desire(App("listed-1")).has_error());
  ASSERT_FALSE(Desire(App("listed-2")).has_error());
  v1::DesiredLRPsRequest request;
  request.add_app_guids("listed-");
  const auto all = List<v1::DesiredLRPsResponse>(&v1::DesiredLRPs::Stub::ListDesiredLRPs, request);
  ASSERT_EQ(all.desired_lrps_size(), 2);
  EXPECT_EQ(all.desired_lrps(0).SerializeAsString(), Get("listed-1").desired_lrp().SerializeAsString());

  const auto infos =
      List<v1::DesiredLRPSchedulingInfosResponse>(&v1::DesiredLRPs::Stub::ListSchedulingInfos, request);
  ASSERT_EQ(infos.desired_lrp_scheduling_infos_size(), 2);
  const v1::DesiredLRPSchedulingInfo& info = infos.desired_lrp_scheduling_infos(1);
  EXPECT_EQ(info.desired_lrp_key().process_guid(), "listed-2");
  EXPECT_EQ(info.desired_lrp_resource().memory_mb(), 8);
  EXPECT_THAT(info.volume_placement().driver_names(), ElementsAre("nfs"));
  v1::DesiredLRPByProcessGuidRequest one;
  one.set_process_guid("listed-2");
  v1::DesiredLRPSchedulingInfoByProcessGuidResponse got;
  ASSERT_TRUE(apps->GetSchedulingInfo(Context().get(), one, &got).ok());
  EXPECT_EQ(got.desired_lrp_scheduling_info().SerializeAsString(), info.SerializeAsString());

  const auto routing = List<v1::DesiredLRPsResponse>(&v1::DesiredLRPs::Stub::ListRoutingInfos, request);
  ASSERT_EQ(routing.desired_lrps_size(), 2);
  EXPECT_EQ(routing.desired_lrps(0).metric_tags().at("source_id").static_(), "guid");
  EXPECT_EQ(routing.desired_lrps(0).routes().SerializeAsString(), all.desired_lrps(0).routes().SerializeAsString());
  EXPECT_FALSE(routing.desired_lrps(0).has_action());
}

TEST_F(OldApi, DiegosErrorsForWhatIsNotOrIsAlreadyThere) {
  ASSERT_FALSE(Desire(App("twice")).has_error());
  EXPECT_EQ(Desire(App("twice")).error().type(), v1::Error::ResourceExists);
  EXPECT_EQ(Get("nobody").error().type(), v1::Error::ResourceNotFound);
  v1::UpdateDesiredLRPRequest update;
  update.set_process_guid("nobody");
  EXPECT_EQ(Update(update).error().type(), v1::Error::ResourceNotFound);
  v1::DesiredLRP wrong = App("wrong");
  wrong.clear_root_fs();
  const v1::DesiredLRPLifecycleResponse refused = Desire(wrong);
  EXPECT_EQ(refused.error().type(), v1::Error::InvalidRequest);
  EXPECT_THAT(refused.error().message(), HasSubstr("root_fs"));
}

TEST_F(OldApi, AnUpdateOfDiegosFieldsRestartsNothing) {
  ASSERT_FALSE(Desire(App("light")).has_error());
  v1::UpdateDesiredLRPRequest update;
  update.set_process_guid("light");
  update.mutable_update()->set_instances(3);
  update.mutable_update()->set_annotation("other");
  EXPECT_FALSE(Update(update).has_error());
  const v1::DesiredLRP got = Get("light").desired_lrp();
  EXPECT_EQ(got.instances(), 3);
  EXPECT_EQ(got.annotation(), "other");
  EXPECT_EQ(got.routes().SerializeAsString(), App("light").routes().SerializeAsString()) << "not named, not changed";
}

// Seed 002: the full DesiredLRP, with an identifier or without.
TEST_F(OldApi, AnUpdateWithAFullAppStartsARollToIt) {
  ASSERT_FALSE(Desire(App("rolled")).has_error());
  v1::UpdateDesiredLRPRequest update;
  update.set_process_guid("rolled");
  *update.mutable_update()->mutable_desired_lrp() = App("rolled");
  update.mutable_update()->mutable_desired_lrp()->set_memory_mb(16);
  update.mutable_update()->set_update_identifier("second");
  EXPECT_FALSE(Update(update).has_error());
  EXPECT_EQ(Get("rolled").desired_lrp().memory_mb(), 16);
  v2::GetDesiredLRPRequest get;
  get.set_process_guid("rolled");
  v2::GetDesiredLRPResponse got;
  ASSERT_TRUE(service->apps->GetDesiredLRP(Context().get(), get, &got).ok());
  EXPECT_EQ(got.desired_lrp().active_definition(), "second");
  EXPECT_NE(got.desired_lrp().roll_id(), "");

  update.mutable_update()->mutable_desired_lrp()->set_memory_mb(32);
  const v1::Error reused = Update(update).error();
  EXPECT_EQ(reused.type(), v1::Error::InvalidRequest) << "the name of other content";
  EXPECT_THAT(reused.message(), HasSubstr("update_identifier"));

  update.mutable_update()->clear_update_identifier();
  EXPECT_FALSE(Update(update).has_error());
  ASSERT_TRUE(service->apps->GetDesiredLRP(Context().get(), get, &got).ok());
  EXPECT_EQ(got.desired_lrp().active_definition(), got.desired_lrp().definition().content_hash());
}

TEST_F(OldApi, AnUpdateThatIsSentAgainLateDoesNotUndoANewerOne) {
  ASSERT_FALSE(Desire(App("late")).has_error());
  v1::UpdateDesiredLRPRequest update;
  update.set_process_guid("late");
  *update.mutable_update()->mutable_desired_lrp() = App("late");
  update.mutable_update()->mutable_desired_lrp()->set_memory_mb(16);
  update.mutable_update()->set_update_identifier("second");
  v1::UpdateDesiredLRPRequest newer = update;
  newer.mutable_update()->mutable_desired_lrp()->set_memory_mb(32);
  newer.mutable_update()->set_update_identifier("third");
  EXPECT_FALSE(Update(update).has_error());
  EXPECT_FALSE(Update(newer).has_error());
  const v1::Error refused = Update(update).error();
  EXPECT_EQ(refused.type(), v1::Error::InvalidStateTransition);
  EXPECT_THAT(refused.message(), HasSubstr("reactivate: true"));
  EXPECT_EQ(Get("late").desired_lrp().memory_mb(), 32);
  update.mutable_update()->set_reactivate(true);
  EXPECT_FALSE(Update(update).has_error());
  EXPECT_EQ(Get("late").desired_lrp().memory_mb(), 16);
}

// A controller that only knows v1 had no way to say that a failed definition is meant.
TEST_F(OldApi, WhatFailedIsTriedAgainWhereTheCallerSaysSo) {
  ASSERT_FALSE(Desire(App("failing")).has_error());
  v1::UpdateDesiredLRPRequest update;
  update.set_process_guid("failing");
  *update.mutable_update()->mutable_desired_lrp() = App("failing");
  update.mutable_update()->mutable_desired_lrp()->set_memory_mb(16);
  update.mutable_update()->set_update_identifier("bad");
  ASSERT_FALSE(Update(update).has_error());
  v2::ChangeRollRequest cancel;
  cancel.set_process_guid("failing");
  v2::ChangeRollResponse cancelled;
  ASSERT_TRUE(service->rolls->CancelRoll(Context().get(), cancel, &cancelled).ok());
  EXPECT_EQ(Get("failing").desired_lrp().memory_mb(), 8);

  v1::UpdateDesiredLRPRequest unnamed = update;
  unnamed.mutable_update()->clear_update_identifier();
  for (const auto& again : {update, unnamed}) {
    const v1::Error refused = Update(again).error();
    EXPECT_EQ(refused.type(), v1::Error::InvalidStateTransition);
    EXPECT_THAT(refused.message(), HasSubstr("retry: true"));
  }
  EXPECT_EQ(Get("failing").desired_lrp().memory_mb(), 8);
  unnamed.mutable_update()->set_retry(true);
  EXPECT_EQ(Update(unnamed).error().message(), "");
  EXPECT_EQ(Get("failing").desired_lrp().memory_mb(), 16);

  ASSERT_TRUE(service->rolls->CancelRoll(Context().get(), cancel, &cancelled).ok());
  update.mutable_update()->set_update_identifier("bad-and-meant");
  EXPECT_EQ(Update(update).error().message(), "") << "a new identifier is always taken";
  EXPECT_EQ(Get("failing").desired_lrp().memory_mb(), 16);
}

TEST_F(OldApi, WhatItCannotSayIsRefusedWithTheCallThatCan) {
  ASSERT_FALSE(Desire(App("unsayable")).has_error());
  v1::UpdateDesiredLRPRequest update;
  update.set_process_guid("unsayable");
  update.mutable_update()->set_annotation("changed");
  v1::DesiredLRPUpdate& inside = *update.mutable_update();
  inside.GetReflection()->MutableUnknownFields(&inside)->AddVarint(10, 1);  // v2's number of `retry`
  const auto context = Context();
  v1::DesiredLRPLifecycleResponse response;
  ASSERT_TRUE(apps->UpdateDesiredLRP(context.get(), update, &response).ok());
  EXPECT_EQ(response.error().type(), v1::Error::InvalidRequest);
  EXPECT_THAT(response.error().message(), HasSubstr("baton.v2.DesiredLRPs.UpdateDesiredLRP"));
  const auto code = context->GetServerTrailingMetadata().find("baton-code");
  ASSERT_NE(code, context->GetServerTrailingMetadata().end());
  EXPECT_EQ(std::string(code->second.data(), code->second.size()), "INVALID_ARGUMENT");
  EXPECT_EQ(Get("unsayable").desired_lrp().annotation(), "note");
}

// It said ROLLING, which is also what a caller says who does not know of strategies.
TEST_F(OldApi, AnUpdateThatDoesNotSayRecreateLeavesItSo) {
  v1::DesiredLRP app = App("alone");
  app.set_update_strategy(v1::DesiredLRP::RECREATE);
  ASSERT_FALSE(Desire(app).has_error());
  v1::UpdateDesiredLRPRequest update;
  update.set_process_guid("alone");
  *update.mutable_update()->mutable_desired_lrp() = App("alone");
  update.mutable_update()->mutable_desired_lrp()->set_memory_mb(16);
  EXPECT_FALSE(Update(update).has_error());
  EXPECT_EQ(Get("alone").desired_lrp().update_strategy(), v1::DesiredLRP::RECREATE);
}

// gRPC's own limit holds between processes; within one it would end every list of apps of an honest size.
TEST_F(OldApi, PagesOfMoreThanFourMegabytesAreListed) {
  for (int i = 0; i < 12; ++i) {
    v1::DesiredLRP app = App("large-" + std::to_string(i), 0);
    app.mutable_environment_variables(0)->set_value(std::string(500'000, 'x'));
    ASSERT_FALSE(Desire(app).has_error());
  }
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  const auto channel = grpc::CreateCustomChannel(service->address(), grpc::InsecureChannelCredentials(), arguments);
  v1::DesiredLRPsRequest request;
  request.add_app_guids("large-");
  const auto context = Context();
  auto reader = v1::DesiredLRPs::NewStub(channel)->ListDesiredLRPs(context.get(), request);
  EXPECT_EQ(All(*reader).desired_lrps_size(), 12);
}

TEST_F(OldApi, RemovedIsGone) {
  ASSERT_FALSE(Desire(App("leaving", 0)).has_error());
  v1::RemoveDesiredLRPRequest request;
  request.set_process_guid("leaving");
  v1::DesiredLRPLifecycleResponse response;
  ASSERT_TRUE(apps->RemoveDesiredLRP(Context().get(), request, &response).ok());
  EXPECT_FALSE(response.has_error());
  EXPECT_EQ(Get("leaving").error().type(), v1::Error::ResourceNotFound);
  ASSERT_TRUE(apps->RemoveDesiredLRP(Context().get(), request, &response).ok());
  EXPECT_EQ(response.error().type(), v1::Error::ResourceNotFound);
}

TEST_F(OldApi, AStandbyNamesTheLeaderToOldCallersToo) {
  RunningService standby(service->url());
  const auto old = v1::DesiredLRPs::NewStub(standby.channel());
  v1::DesiredLRPByProcessGuidRequest request;
  request.set_process_guid("whole");
  v1::DesiredLRPResponse response;
  std::unique_ptr<grpc::ClientContext> context;
  const auto named = [&] {
    context = Context();
    EXPECT_EQ(old->GetDesiredLRP(context.get(), request, &response).error_code(), grpc::StatusCode::UNAVAILABLE);
    return context->GetServerTrailingMetadata().contains("baton-leader");
  };
  EXPECT_TRUE(Eventually(named)) << "before it has looked it knows nobody";
  EXPECT_TRUE(context->GetServerTrailingMetadata().contains("baton-retry-after-ms"));
  context = Context();
  v1::DesiredLRPsResponse page;
  auto list = old->ListDesiredLRPs(context.get(), {});
  EXPECT_FALSE(list->Read(&page));
  EXPECT_EQ(list->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_TRUE(context->GetServerTrailingMetadata().contains("baton-leader"));
}

}  // namespace
}  // namespace baton
