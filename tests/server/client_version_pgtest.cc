// Who is newer than the service, over the wire, in both versions of the API; and calls of a version that is not served.
#include <gmock/gmock.h>
#include <google/protobuf/empty.pb.h>
#include <grpcpp/generic/generic_stub.h>

#include <future>

#include "orchestrator/model/calls/wire_names.h"
#include "orchestrator/model/version.h"
#include "tests/server/old_api.h"

namespace baton {
namespace {

using grpc::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kNewer[] = "99.0.0";

std::unique_ptr<grpc::ClientContext> Of(const std::string& version) {
  auto context = Context();
  context->AddMetadata(kClientVersionKey, version);
  return context;
}
auto IsRefusal() { return AllOf(HasSubstr(kNewer), HasSubstr(kAppVersion), HasSubstr("upgrade batond first")); }

using ClientVersions = OldApi;

TEST_F(ClientVersions, ANewerOneIsRefusedAndChangesNothing) {
  v2::DesireLRPResponse response;
  grpc::Status status = service->apps->DesireLRP(Of(kNewer).get(), RunningService::SmallApp("newer"), &response);
  EXPECT_EQ(status.error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), IsRefusal());
  v2::GetDesiredLRPRequest get;
  get.set_process_guid("newer");
  v2::GetDesiredLRPResponse got;
  EXPECT_EQ(service->apps->GetDesiredLRP(Of(kNewer).get(), get, &got).error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(service->apps->GetDesiredLRP(Of(kAppVersion).get(), get, &got).error_code(), StatusCode::NOT_FOUND);
}

TEST_F(ClientVersions, ANewerOneGetsNoStream) {
  auto context = Of(kNewer);
  const auto list = service->lrps->ListActualLRPs(context.get(), {});
  EXPECT_THAT(list->Finish().error_message(), IsRefusal());
  context = Of(kNewer);
  v2::SubscribeRequest subscribe;
  subscribe.set_snapshot(true);
  const auto events = service->events->Subscribe(context.get(), subscribe);
  v2::SubscribeResponse event;
  EXPECT_FALSE(events->Read(&event));
  EXPECT_THAT(events->Finish().error_message(), IsRefusal());
  context = Of(kNewer);
  const auto cell = service->cells->Connect(context.get());
  v2::LeaderToCell order;
  EXPECT_FALSE(cell->Read(&order));
  EXPECT_THAT(cell->Finish().error_message(), IsRefusal());
  context = Of(kNewer);
  const auto router = service->routes->Connect(context.get());
  v2::RouteMessage route;
  EXPECT_FALSE(router->Read(&route));
  EXPECT_THAT(router->Finish().error_message(), IsRefusal());
}

// In v1 an answer's error is about the record: a cell that is told so stops its instance.
TEST_F(ClientVersions, InV1TheRefusalIsTheStatusAndNoWordAboutTheRecord) {
  v1::ClaimActualLRPRequest claim;
  claim.set_process_guid("app");
  claim.mutable_actual_lrp_instance_key()->set_instance_guid("i");
  claim.mutable_actual_lrp_instance_key()->set_cell_id("c");
  v1::ActualLRPLifecycleResponse claimed;
  auto context = Of(kNewer);
  const grpc::Status status = lrps->ClaimActualLRP(context.get(), claim, &claimed);
  EXPECT_EQ(status.error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), IsRefusal());
  EXPECT_FALSE(claimed.has_error());
  EXPECT_TRUE(context->GetServerTrailingMetadata().contains(kClientRefusedTrailer));
  context = Of(kNewer);
  const auto list = apps->ListDesiredLRPs(context.get(), {});
  v1::DesiredLRPsResponse page;
  EXPECT_FALSE(list->Read(&page));
  EXPECT_THAT(list->Finish().error_message(), IsRefusal());
}

TEST_F(ClientVersions, WhatIsNoVersionIsRefusedInBoth) {
  v2::DesireLRPResponse response;
  grpc::Status status = service->apps->DesireLRP(Of("new").get(), RunningService::SmallApp("app"), &response);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr(kClientVersionKey));
  v1::CellsResponse listed;
  status = cells->ListCells(Of("new").get(), {}, &listed);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr(kClientVersionKey));
}

TEST_F(ClientVersions, ANewerOneMayAskWhatIsThereAndEveryAnswerSaysIt) {
  auto context = Of(kNewer);
  v2::PingResponse pong;
  EXPECT_TRUE(service->admin->Ping(context.get(), {}, &pong).ok());
  const auto head = context->GetServerInitialMetadata();
  ASSERT_TRUE(head.contains(kServerVersionKey));
  EXPECT_EQ(head.find(kServerVersionKey)->second, kAppVersion);
  v2::VersionsResponse versions;
  EXPECT_TRUE(service->admin->Versions(Of(kNewer).get(), {}, &versions).ok());
  v2::StatusResponse answer;
  EXPECT_TRUE(service->admin->Status(Of(kNewer).get(), {}, &answer).ok());
  context = Of(kNewer);
  v1::PingResponse old;
  EXPECT_TRUE(ping->Ping(context.get(), {}, &old).ok());
  EXPECT_EQ(context->GetServerInitialMetadata().count(kServerVersionKey), 1u);
}

TEST_F(ClientVersions, OneOfBatonsIsCalledByItsName) {
  grpc::ChannelArguments arguments;
  arguments.SetUserAgentPrefix("baton-cell/99.0.0");
  const auto stub =
      v2::Cells::NewStub(grpc::CreateCustomChannel(service->address(), grpc::InsecureChannelCredentials(), arguments));
  v2::ListCellsResponse listed;
  EXPECT_THAT(stub->ListCells(Of(kNewer).get(), {}, &listed).error_message(),
              HasSubstr("the client baton-cell is 99.0.0"));
  EXPECT_THAT(service->cells->ListCells(Of(kNewer).get(), {}, &listed).error_message(),
              HasSubstr("the client is 99.0.0"));
}

TEST_F(ClientVersions, ACallOfAnApiThatIsNotServedIsToldWhichAre) {
  grpc::TemplatedGenericStub<google::protobuf::Empty, google::protobuf::Empty> stub(service->channel());
  const google::protobuf::Empty request;
  google::protobuf::Empty response;
  std::promise<grpc::Status> done;
  const auto context = Context();
  stub.UnaryCall(context.get(), "/baton.v3.Rolls/GetRoll", {}, &request, &response,
                 [&done](grpc::Status status) { done.set_value(std::move(status)); });
  const grpc::Status status = done.get_future().get();
  EXPECT_EQ(status.error_code(), StatusCode::UNIMPLEMENTED);
  EXPECT_THAT(status.error_message(),
              AllOf(HasSubstr("/baton.v3.Rolls/GetRoll"), HasSubstr(kAppVersion), HasSubstr("baton.v1 and baton.v2")));
}

}  // namespace
}  // namespace baton
