// baton.v1 over a whole batond: instances, cells, domains and events.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/server/old_api.h"
#include "tests/server/scripted_cell.h"

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class OldInstances : public OldApi {};

TEST_F(OldInstances, InstancesAreListedOverTheEdgesOfPages) {
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

TEST_F(OldInstances, OneSlotIsAGroup) {
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
  request.set_index(-1);
  ASSERT_TRUE(lrps->GetActualLRPGroup(Context().get(), request, &response).ok());
  EXPECT_EQ(response.error().type(), v1::Error::InvalidRequest) << "not any slot";
  request.clear_index();
  request.clear_process_guid();
  ASSERT_TRUE(lrps->GetActualLRPGroup(Context().get(), request, &response).ok());
  EXPECT_EQ(response.error().type(), v1::Error::InvalidRequest) << "not any app";
}

// As a cell of Diego's kind reports it.
class OldCell {
 public:
  OldCell(v1::ActualLRPs::Stub& lrps, const std::string& guid, const std::string& name) : lrps_(lrps) {
    key_.set_process_guid(guid);
    key_.set_domain("cf");
    instance_.set_instance_guid(name);
    instance_.set_cell_id("cell-of-" + name);
  }
  // Another start, whose container has another guid.
  void StartsAnew(const std::string& instance_guid) { instance_.set_instance_guid(instance_guid); }
  v1::Error Claim() {
    v1::ClaimActualLRPRequest request;
    request.set_process_guid(key_.process_guid());
    *request.mutable_actual_lrp_instance_key() = instance_;
    return Ask(&v1::ActualLRPs::Stub::ClaimActualLRP, request);
  }
  v1::Error Start() {
    v1::StartActualLRPRequest request;
    Name(request);
    request.mutable_actual_lrp_net_info()->set_address("10.0.0.1");
    v1::PortMapping& port = *request.mutable_actual_lrp_net_info()->add_ports();
    port.set_container_port(8080);
    port.set_host_port(61001);
    request.set_availability_zone("z1");
    return Ask(&v1::ActualLRPs::Stub::StartActualLRP, request);
  }
  v1::Error Crash() {
    v1::CrashActualLRPRequest request;
    Name(request);
    request.set_error_message("exit 1");
    return Ask(&v1::ActualLRPs::Stub::CrashActualLRP, request);
  }
  v1::Error Fail() {
    v1::FailActualLRPRequest request;
    *request.mutable_actual_lrp_key() = key_;
    request.set_error_message("no room");
    return Ask(&v1::ActualLRPs::Stub::FailActualLRP, request);
  }
  v1::Error Remove() {
    v1::RemoveActualLRPRequest request;
    request.set_process_guid(key_.process_guid());
    *request.mutable_actual_lrp_instance_key() = instance_;
    return Ask(&v1::ActualLRPs::Stub::RemoveActualLRP, request);
  }

 private:
  template <class Request>
  void Name(Request& request) {
    *request.mutable_actual_lrp_key() = key_;
    *request.mutable_actual_lrp_instance_key() = instance_;
  }
  template <class Method, class Request>
  v1::Error Ask(Method method, const Request& request) {
    v1::ActualLRPLifecycleResponse response;
    const grpc::Status status = (lrps_.*method)(Context().get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.error();
  }

  v1::ActualLRPs::Stub& lrps_;
  v1::ActualLRPKey key_;
  v1::ActualLRPInstanceKey instance_;
};

TEST_F(OldInstances, ACellOfDiegosKindStartsAndEndsOne) {
  const auto state = [] {
    const auto all = service->Instances("alive");
    return all.empty() ? std::string("none") : all[0].state();
  };
  // That they are there is said in baton.v2 alone: whose cell nobody has heard of is taken for lost.
  ScriptedCell there(*service, "cell-of-own");
  there.hello().clear_stacks();
  there.HelloUntilCompared();
  there.KeepBeating();
  OldCell own(*lrps, "alive", "own");
  OldCell other(*lrps, "alive", "other");
  EXPECT_EQ(own.Claim().type(), v1::Error::ResourceNotFound);
  EXPECT_EQ(own.Start().type(), v1::Error::ActualLRPCannotBeStarted) << "or its cell would keep it";
  ASSERT_FALSE(Desire(App("alive")).has_error());
  ASSERT_TRUE(Eventually([&] { return state() == "UNCLAIMED"; }));
  EXPECT_EQ(own.Fail().message(), "");
  EXPECT_NE(service->Instances("alive")[0].placement_error(), "") << "this one, or by now the auctioneer's own";
  EXPECT_EQ(own.Claim().message(), "");
  EXPECT_EQ(state(), "CLAIMED");
  EXPECT_EQ(own.Claim().message(), "") << "twice is as once";
  EXPECT_EQ(other.Claim().type(), v1::Error::ActualLRPCannotBeClaimed);
  EXPECT_EQ(other.Start().type(), v1::Error::ActualLRPCannotBeStarted);
  EXPECT_EQ(own.Start().message(), "");
  const v2::ActualLRP running = service->Instances("alive")[0];
  EXPECT_EQ(running.state(), "RUNNING");
  EXPECT_TRUE(running.routable()) << "who does not say is ready";
  EXPECT_EQ(running.net_info().ports(0).host_port(), 61001U);
  EXPECT_EQ(other.Crash().type(), v1::Error::ActualLRPCannotBeCrashed);
  EXPECT_EQ(other.Fail().type(), v1::Error::ActualLRPCannotBeFailed);
  EXPECT_EQ(other.Remove().type(), v1::Error::ResourceNotFound);
  EXPECT_EQ(own.Crash().message(), "");
  EXPECT_EQ(service->Instances("alive")[0].crash_reason(), "exit 1");
  ASSERT_TRUE(Eventually([&] { return state() == "UNCLAIMED"; })) << "it is started again";
  EXPECT_EQ(own.Claim().type(), v1::Error::ActualLRPCannotBeClaimed) << "that start is over";
  EXPECT_EQ(own.Start().type(), v1::Error::ActualLRPCannotBeStarted);
  own.StartsAnew("own-2");
  EXPECT_EQ(own.Start().message(), "") << "without a claim, too";
  EXPECT_EQ(own.Remove().message(), "");
  EXPECT_TRUE(Eventually([&] { return state() == "UNCLAIMED"; })) << "it is wanted: another takes its slot";
}

// It drains: what it runs is kept until its replacement serves, which here nobody starts.
TEST_F(OldInstances, ACellOfDiegosKindEvacuates) {
  const auto evacuation = v1::Evacuation::NewStub(service->channel());
  ScriptedCell there(*service, "cell-of-mover");
  there.hello().clear_stacks();
  there.HelloUntilCompared();
  there.KeepBeating();
  ASSERT_FALSE(Desire(App("moving")).has_error());
  ASSERT_TRUE(Eventually([] { return service->Instances("moving").size() == 1; }));
  OldCell mover(*lrps, "moving", "mover");
  EXPECT_EQ(mover.Start().message(), "");
  v1::EvacuateRunningActualLRPRequest running;
  running.mutable_actual_lrp_key()->set_process_guid("moving");
  running.mutable_actual_lrp_instance_key()->set_instance_guid("mover");
  running.mutable_actual_lrp_instance_key()->set_cell_id("cell-of-mover");
  v1::EvacuationResponse answer;
  ASSERT_TRUE(evacuation->EvacuateRunningActualLRP(Context().get(), running, &answer).ok());
  EXPECT_FALSE(answer.has_error());
  EXPECT_TRUE(answer.keep_container());
  EXPECT_TRUE(Eventually([] { return service->Instances("moving").size() == 2; })) << "its replacement waits for a cell";
  v1::RemoveEvacuatingActualLRPRequest remove;
  *remove.mutable_actual_lrp_key() = running.actual_lrp_key();
  *remove.mutable_actual_lrp_instance_key() = running.actual_lrp_instance_key();
  remove.mutable_actual_lrp_instance_key()->set_instance_guid("nobody");
  v1::RemoveEvacuatingActualLRPResponse removed;
  ASSERT_TRUE(evacuation->RemoveEvacuatingActualLRP(Context().get(), remove, &removed).ok());
  EXPECT_EQ(removed.error().type(), v1::Error::ResourceNotFound);
  v1::EvacuateStoppedActualLRPRequest stopped;
  *stopped.mutable_actual_lrp_key() = running.actual_lrp_key();
  *stopped.mutable_actual_lrp_instance_key() = running.actual_lrp_instance_key();
  ASSERT_TRUE(evacuation->EvacuateStoppedActualLRP(Context().get(), stopped, &answer).ok());
  EXPECT_EQ(answer.error().message(), "");
  EXPECT_TRUE(Eventually([] { return service->Instances("moving").size() == 1; }));
  ASSERT_TRUE(evacuation->EvacuateRunningActualLRP(Context().get(), running, &answer).ok());
  EXPECT_TRUE(answer.keep_container()) << "nobody knows it, and nobody else serves the slot";
  running.mutable_actual_lrp_instance_key()->clear_cell_id();
  ASSERT_TRUE(evacuation->EvacuateRunningActualLRP(Context().get(), running, &answer).ok());
  EXPECT_EQ(answer.error().type(), v1::Error::InvalidRequest);
  EXPECT_TRUE(answer.keep_container()) << "who gets an error lets go of nothing";
}

TEST_F(OldInstances, ACallNamesAnInstanceOnceOnly) {
  v2::ClaimActualLRPRequest request;
  request.set_actual_id("some");
  request.mutable_slot()->set_process_guid("app");
  request.mutable_instance_key()->set_instance_guid("i");
  request.mutable_instance_key()->set_cell_id("c");
  v2::ActualLRPLifecycleResponse response;
  const grpc::Status both = service->lrps->ClaimActualLRP(Context().get(), request, &response);
  EXPECT_EQ(both.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(both.error_message(), ::testing::HasSubstr("slot"));
  request.clear_actual_id();
  request.mutable_slot()->set_index(-1);
  const grpc::Status negative = service->lrps->ClaimActualLRP(Context().get(), request, &response);
  EXPECT_EQ(negative.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(negative.error_message(), ::testing::HasSubstr("slot.index"));
}

TEST_F(OldInstances, ASlotIsRetired) {
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

TEST_F(OldInstances, CellsDomainsAndPing) {
  ScriptedCell cell(*service, "cell-1");
  cell.hello().set_zone("z1");
  cell.hello().clear_stacks();
  cell.hello().add_stacks("preloaded:cflinuxfs4");
  cell.hello().add_stacks("docker:");
  cell.Hello();
  (void)cell.Welcome();
  v1::CellPresence found;
  EXPECT_TRUE(Eventually([&] {
    v1::CellsResponse there;
    EXPECT_TRUE(cells->ListCells(Context().get(), {}, &there).ok());
    for (const v1::CellPresence& one : there.cells()) {
      if (one.cell_id() == "cell-1") found = one;
    }
    return found.cell_id() == "cell-1";
  }));
  ASSERT_EQ(found.rootfs_providers_size(), 2);
  EXPECT_THAT(found.rootfs_providers(0).properties(), ElementsAre("cflinuxfs4"));
  EXPECT_THAT(found.rootfs_providers(1).properties(), IsEmpty());

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

TEST_F(OldInstances, EventsAreToldFromTheCallOn) {
  const auto context = Context();
  auto reader = v1::Events::NewStub(service->channel())->SubscribeToInstanceEvents(context.get(), {});
  reader->WaitForInitialMetadata();  // it is subscribed: nothing that is done from here on is missed
  EXPECT_FALSE(Desire(App("told-1")).has_error());
  const auto events = Until(*reader, [](const v1::Event& event) {
    return event.actual_lrp_instance_created().actual_lrp().actual_lrp_key().process_guid().starts_with("told-");
  });
  ASSERT_FALSE(events.empty());
  EXPECT_TRUE(std::ranges::any_of(events, &v1::Event::has_desired_lrp_created)) << "the app before its instance";
  EXPECT_EQ(events.back().actual_lrp_instance_created().actual_lrp().state(), "UNCLAIMED");
  EXPECT_GT(events.back().sequence(), 0);
  context->TryCancel();
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(OldInstances, AListThatIsNotReadToItsEndHoldsNothingUp) {
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
