// baton.v1 over a whole batond: Diego's calls, answered by baton.v2's handlers.
#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>

#include <atomic>
#include <thread>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "tests/server/running_service.h"
#include "tests/server/scripted_cell.h"

namespace baton {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class OldApi : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    service = new RunningService();
    service->WaitForLead();
    apps = v1::DesiredLRPs::NewStub(service->channel());
    lrps = v1::ActualLRPs::NewStub(service->channel());
    domains = v1::Domains::NewStub(service->channel());
    cells = v1::Cells::NewStub(service->channel());
    ping = v1::Ping::NewStub(service->channel());
  }
  static void TearDownTestSuite() {
    apps.reset();
    lrps.reset();
    domains.reset();
    cells.reset();
    ping.reset();
    delete service;
  }

  static v1::DesiredLRP App(const std::string& guid, int instances = 1) {
    v1::DesiredLRP app;
    app.set_process_guid(guid);
    app.set_domain("cf");
    app.set_log_guid("log-" + guid);
    app.set_root_fs("host:");
    app.set_instances(instances);
    app.set_memory_mb(8);
    app.set_cpu_weight(7);
    app.mutable_action()->mutable_run_action()->set_path("/bin/true");
    app.mutable_action()->mutable_run_action()->set_user("me");
    auto* variable = app.add_environment_variables();
    variable->set_name("TOKEN");
    variable->set_value("hunter2");
    app.set_image_username("puller");
    app.set_image_password("hunter3");
    (*app.mutable_routes()->mutable_routes())["cf-router"] = R"([{"hostnames":["a.example"],"port":8080}])";
    app.add_ports(8080);
    app.mutable_volume_mounts()->Add()->set_driver("nfs");
    app.mutable_volume_mounts(0)->set_container_dir("/data");
    app.mutable_volume_mounts(0)->set_mode("rw");
    app.mutable_volume_mounts(0)->mutable_shared()->set_volume_id("v");
    (*app.mutable_metric_tags())["source_id"].set_static_("guid");
    app.set_annotation("note");
    return app;
  }
  static v1::DesiredLRPLifecycleResponse Desire(const v1::DesiredLRP& app) {
    v1::DesireLRPRequest request;
    *request.mutable_desired_lrp() = app;
    v1::DesiredLRPLifecycleResponse response;
    const grpc::Status status = apps->DesireLRP(Context().get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
  static v1::DesiredLRPLifecycleResponse Update(const v1::UpdateDesiredLRPRequest& request) {
    v1::DesiredLRPLifecycleResponse response;
    const grpc::Status status = apps->UpdateDesiredLRP(Context().get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
  static v1::DesiredLRPResponse Get(const std::string& guid) {
    v1::DesiredLRPByProcessGuidRequest request;
    request.set_process_guid(guid);
    v1::DesiredLRPResponse response;
    const grpc::Status status = apps->GetDesiredLRP(Context().get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
  // All messages of a list as one.
  template <class Response, class Request, class Method>
  static Response List(Method method, const Request& request) {
    const auto context = Context();
    auto reader = (apps.get()->*method)(context.get(), request);
    return All<Response>(*reader);
  }
  template <class Response>
  static Response All(grpc::ClientReader<Response>& reader) {
    Response all, page;
    while (reader.Read(&page)) all.MergeFrom(page);
    const grpc::Status status = reader.Finish();
    EXPECT_TRUE(status.ok()) << status.error_message();
    return all;
  }
  template <class Request>
  static Request ByGuid(const std::string& guid) {
    Request request;
    request.add_process_guids(guid);
    return request;
  }

  static RunningService* service;
  static std::unique_ptr<v1::DesiredLRPs::Stub> apps;
  static std::unique_ptr<v1::ActualLRPs::Stub> lrps;
  static std::unique_ptr<v1::Domains::Stub> domains;
  static std::unique_ptr<v1::Cells::Stub> cells;
  static std::unique_ptr<v1::Ping::Stub> ping;
};
RunningService* OldApi::service = nullptr;
std::unique_ptr<v1::DesiredLRPs::Stub> OldApi::apps;
std::unique_ptr<v1::ActualLRPs::Stub> OldApi::lrps;
std::unique_ptr<v1::Domains::Stub> OldApi::domains;
std::unique_ptr<v1::Cells::Stub> OldApi::cells;
std::unique_ptr<v1::Ping::Stub> OldApi::ping;

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

TEST_F(OldApi, WhatItCannotSayIsRefusedWithTheCallThatCan) {
  ASSERT_FALSE(Desire(App("unsayable")).has_error());
  v1::UpdateDesiredLRPRequest update;
  update.set_process_guid("unsayable");
  update.mutable_update()->set_annotation("changed");
  v1::DesiredLRPUpdate& inside = *update.mutable_update();
  inside.GetReflection()->MutableUnknownFields(&inside)->AddVarint(10, 1);  // v2's `retry`
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

TEST_F(OldApi, InstancesAreListedOverTheEdgesOfPages) {
  constexpr int kMany = 1300;
  v1::DesiredLRP many = App("many", kMany);
  ASSERT_FALSE(Desire(many).has_error());
  ASSERT_TRUE(Eventually([] { return service->Instances("many").size() == kMany; }));
  v1::ActualLRPsRequest request;
  request.set_process_guid("many");
  auto context = Context();
  auto reader = lrps->ListActualLRPs(context.get(), request);
  EXPECT_EQ(All(*reader).actual_lrps_size(), kMany);

  context = Context();
  auto by_guids = lrps->ListActualLRPsByProcessGuids(context.get(), ByGuid<v1::ActualLRPsByProcessGuidsRequest>("many"));
  EXPECT_EQ(All(*by_guids).actual_lrps_size(), kMany);

  v1::ActualLRPGroupsByProcessGuidRequest of_app;
  of_app.set_process_guid("many");
  context = Context();
  auto groups = lrps->ListActualLRPGroupsByProcessGuid(context.get(), of_app);
  const auto all = All(*groups);
  ASSERT_EQ(all.actual_lrp_groups_size(), kMany);
  for (int i = 0; i < kMany; ++i) ASSERT_EQ(all.actual_lrp_groups(i).instance().actual_lrp_key().index(), i);
}

TEST_F(OldApi, OneSlotIsAGroup) {
  ASSERT_FALSE(Desire(App("slots", 2)).has_error());
  ASSERT_TRUE(Eventually([] { return service->Instances("slots").size() == 2; }));
  v1::ActualLRPGroupByProcessGuidAndIndexRequest request;
  request.set_process_guid("slots");
  request.set_index(1);
  v1::ActualLRPGroupResponse response;
  ASSERT_TRUE(lrps->GetActualLRPGroup(Context().get(), request, &response).ok());
  EXPECT_EQ(response.actual_lrp_group().instance().actual_lrp_key().index(), 1);
  EXPECT_EQ(response.actual_lrp_group().instance().state(), "UNCLAIMED");
  request.set_index(7);
  ASSERT_TRUE(lrps->GetActualLRPGroup(Context().get(), request, &response).ok());
  EXPECT_EQ(response.error().type(), v1::Error::ResourceNotFound);
}

TEST_F(OldApi, ASlotIsRetired) {
  ASSERT_FALSE(Desire(App("retired", 1)).has_error());
  ASSERT_TRUE(Eventually([] { return service->Instances("retired").size() == 1; }));
  v1::RetireActualLRPRequest request;
  request.mutable_actual_lrp_key()->set_process_guid("retired");
  v1::ActualLRPLifecycleResponse response;
  ASSERT_TRUE(lrps->RetireActualLRP(Context().get(), request, &response).ok());
  EXPECT_FALSE(response.has_error()) << "placed nowhere yet: there is nothing to do";
  request.mutable_actual_lrp_key()->set_index(4);
  ASSERT_TRUE(lrps->RetireActualLRP(Context().get(), request, &response).ok());
  EXPECT_EQ(response.error().type(), v1::Error::ResourceNotFound);
}

TEST_F(OldApi, CellsDomainsAndPing) {
  ScriptedCell cell(*service, "cell-1");
  cell.hello().set_zone("z1");
  cell.hello().clear_stacks();
  cell.hello().add_stacks("preloaded:cflinuxfs4");
  cell.hello().add_stacks("docker:");
  cell.Hello();
  (void)cell.Welcome();
  v1::CellsResponse there;
  EXPECT_TRUE(Eventually([&] {
    there.Clear();
    return cells->ListCells(Context().get(), {}, &there).ok() && there.cells_size() == 1;
  }));
  ASSERT_EQ(there.cells_size(), 1);
  EXPECT_EQ(there.cells(0).cell_id(), "cell-1");
  ASSERT_EQ(there.cells(0).rootfs_providers_size(), 2);
  EXPECT_THAT(there.cells(0).rootfs_providers(0).properties(), ElementsAre("cflinuxfs4"));
  EXPECT_THAT(there.cells(0).rootfs_providers(1).properties(), IsEmpty());

  v1::UpsertDomainRequest fresh;
  fresh.set_domain("cf");
  fresh.set_ttl(120);
  v1::UpsertDomainResponse stored;
  ASSERT_TRUE(domains->UpsertDomain(Context().get(), fresh, &stored).ok());
  EXPECT_FALSE(stored.has_error());
  v1::DomainsResponse all;
  ASSERT_TRUE(domains->ListDomains(Context().get(), {}, &all).ok());
  EXPECT_THAT(all.domains(), ElementsAre("cf"));
  fresh.clear_domain();
  ASSERT_TRUE(domains->UpsertDomain(Context().get(), fresh, &stored).ok());
  EXPECT_EQ(stored.error().type(), v1::Error::InvalidRequest);

  v1::PingResponse answer;
  ASSERT_TRUE(ping->Ping(Context().get(), {}, &answer).ok());
  EXPECT_TRUE(answer.available());
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

// Reads events until one says it, and gives all that were read.
template <class Reader, class Wanted>
std::vector<v1::Event> Until(Reader& reader, Wanted wanted) {
  std::vector<v1::Event> all;
  v1::EventsResponse some;
  while (reader.Read(&some)) {
    for (const v1::Event& event : some.events()) {
      all.push_back(event);
      if (wanted(event)) return all;
    }
  }
  ADD_FAILURE() << "the stream ended: " << reader.Finish().error_message();
  return all;
}

TEST_F(OldApi, EventsAreToldFromTheCallOn) {
  const auto context = Context();
  auto reader = v1::Events::NewStub(service->channel())->SubscribeToInstanceEvents(context.get(), {});
  // The subscription is there when something that is desired after the call is told: asked again and again until it is.
  std::atomic<bool> told{false};
  std::thread writer([&] {
    for (int i = 0; !told && i < 200; ++i) {
      EXPECT_FALSE(Desire(App("told-" + std::to_string(i))).has_error());
      std::this_thread::yield();
    }
  });
  const auto events = Until(*reader, [](const v1::Event& event) { return event.has_actual_lrp_instance_created(); });
  told = true;
  writer.join();
  ASSERT_FALSE(events.empty());
  EXPECT_TRUE(events.front().has_desired_lrp_created() || events.front().has_actual_lrp_instance_created());
  EXPECT_EQ(events.back().actual_lrp_instance_created().actual_lrp().state(), "UNCLAIMED");
  EXPECT_GT(events.back().sequence(), 0);
  context->TryCancel();
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(OldApi, AListThatIsNotReadToItsEndHoldsNothingUp) {
  ASSERT_FALSE(Desire(App("abandoned", 1500)).has_error());
  for (int i = 0; i < 20; ++i) {
    const auto context = Context();
    v1::ActualLRPsRequest request;
    auto reader = lrps->ListActualLRPs(context.get(), request);
    v1::ActualLRPsResponse page;
    if (i % 2 == 0) (void)reader->Read(&page);
    context->TryCancel();
    EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  EXPECT_FALSE(Get("abandoned").has_error());
}

}  // namespace
}  // namespace baton
