// Where an instance is reached and what its cell says of it, as routers of Diego's kind read it: all of it comes back.
#include <gmock/gmock.h>

#include "tests/server/old_api.h"
#include "tests/server/scripted_cell.h"

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

v1::ActualLRPNetInfo WholeNetInfo() {
  v1::ActualLRPNetInfo info;
  info.set_address("10.0.0.1");
  info.set_instance_address("10.255.0.7");
  info.set_instance_ipv6_address("fd00::7");
  info.set_preferred_address(v1::ActualLRPNetInfo::INSTANCE);
  v1::PortMapping& port = *info.add_ports();
  port.set_container_port(8080);
  port.set_host_port(61001);
  port.set_container_tls_proxy_port(61443);
  port.set_host_tls_proxy_port(61002);
  return info;
}

template <class Message>
void Label(Message& message) {
  message.add_actual_lrp_internal_routes()->set_hostname("shop.apps.internal");
  (*message.mutable_metric_tags())["source_id"] = "shop";
  (*message.mutable_metric_tags())["instance_id"] = "0";
}

template <class Row>
void ExpectLabelled(const Row& row) {
  ASSERT_EQ(row.actual_lrp_internal_routes_size(), 1);
  EXPECT_EQ(row.actual_lrp_internal_routes(0).hostname(), "shop.apps.internal");
  EXPECT_THAT(row.metric_tags(), UnorderedElementsAre(Pair("source_id", "shop"), Pair("instance_id", "0")));
}

class OldEndpoints : public OldApi {
 protected:
  static v1::ActualLRP Listed(const std::string& guid) {
    v1::ActualLRPsRequest request;
    request.set_process_guid(guid);
    const auto context = Context();
    auto reader = lrps->ListActualLRPs(context.get(), request);
    const auto all = All(*reader);
    EXPECT_EQ(all.actual_lrps_size(), 1);
    return all.actual_lrps_size() > 0 ? all.actual_lrps(0) : v1::ActualLRP();
  }
  // One that is told of by its cell, in Diego's way.
  static v1::StartActualLRPRequest StartOf(const std::string& guid) {
    v1::StartActualLRPRequest start;
    start.mutable_actual_lrp_key()->set_process_guid(guid);
    start.mutable_actual_lrp_key()->set_domain("cf");
    start.mutable_actual_lrp_instance_key()->set_instance_guid(guid + "-run");
    start.mutable_actual_lrp_instance_key()->set_cell_id("diego-cell");
    *start.mutable_actual_lrp_net_info() = WholeNetInfo();
    Label(start);
    return start;
  }
  static v1::Error Start(const v1::StartActualLRPRequest& start) {
    v1::ActualLRPLifecycleResponse response;
    EXPECT_TRUE(lrps->StartActualLRP(Context().get(), start, &response).ok());
    return response.error();
  }
};

TEST_F(OldEndpoints, AreGivenBackAsACellOfDiegosKindToldThem) {
  ScriptedCell there(*service, "diego-cell");
  there.hello().clear_stacks();
  there.HelloUntilCompared();
  there.KeepBeating();
  ASSERT_FALSE(Desire(App("kept")).has_error());
  ASSERT_TRUE(Eventually([] { return service->Instances("kept").size() == 1; }));
  const auto context = Context();
  auto events = v1::Events::NewStub(service->channel())->SubscribeToInstanceEvents(context.get(), {});
  events->WaitForInitialMetadata();
  EXPECT_EQ(Start(StartOf("kept")).message(), "");

  const v1::ActualLRP old = Listed("kept");
  EXPECT_EQ(old.actual_lrp_net_info().SerializeAsString(), WholeNetInfo().SerializeAsString());
  ExpectLabelled(old);
  const v2::ActualLRP row = service->Instances("kept")[0];
  EXPECT_EQ(row.net_info().SerializeAsString(), WholeNetInfo().SerializeAsString());
  ExpectLabelled(row);

  v1::EventsResponse some;
  std::string told;
  while (told.empty() && events->Read(&some)) {
    for (const v1::Event& event : some.events()) {
      const v1::ActualLRP& after = event.actual_lrp_instance_created().actual_lrp();
      if (after.state() == "RUNNING") told = after.actual_lrp_net_info().SerializeAsString();
      const v1::ActualLRPInfo& changed = event.actual_lrp_instance_changed().after();
      if (changed.state() == "RUNNING") told = changed.actual_lrp_net_info().SerializeAsString();
    }
  }
  EXPECT_EQ(told, WholeNetInfo().SerializeAsString());
  context->TryCancel();

  v1::CrashActualLRPRequest crash;
  *crash.mutable_actual_lrp_key() = StartOf("kept").actual_lrp_key();
  *crash.mutable_actual_lrp_instance_key() = StartOf("kept").actual_lrp_instance_key();
  v1::ActualLRPLifecycleResponse response;
  ASSERT_TRUE(lrps->CrashActualLRP(Context().get(), crash, &response).ok());
  EXPECT_EQ(Listed("kept").metric_tags_size(), 0) << "they were of that start";
}

TEST_F(OldEndpoints, AreGivenBackAsACellOfBatonsToldThem) {
  ScriptedCell cell(*service, "baton-cell");
  cell.Hello();
  (void)cell.Welcome();
  cell.KeepBeating();
  ASSERT_TRUE(service->Desire(RunningService::SmallApp("reported")).ok());
  const std::string id = cell.NextRun().actual_id();
  ASSERT_EQ(cell.Report(ScriptedCell::Claimed(id)).outcome(), v2::CellReportResult::APPLIED);
  v2::CellReport report = ScriptedCell::Started(id);
  *report.mutable_started()->mutable_net_info() = WholeNetInfo();
  Label(*report.mutable_started());
  ASSERT_EQ(cell.Report(report).outcome(), v2::CellReportResult::APPLIED);
  EXPECT_EQ(cell.Report(report).outcome(), v2::CellReportResult::UNCHANGED) << "twice is as once";
  const v1::ActualLRP old = Listed("reported");
  EXPECT_EQ(old.actual_lrp_net_info().SerializeAsString(), WholeNetInfo().SerializeAsString());
  ExpectLabelled(old);
}

TEST_F(OldEndpoints, ThatCannotBeAreRefusedByName) {
  v1::StartActualLRPRequest start = StartOf("nobody");
  start.mutable_actual_lrp_net_info()->mutable_ports(0)->set_host_tls_proxy_port(70000);
  EXPECT_THAT(Start(start).message(), HasSubstr("net_info.ports[0]: of a TLS proxy is 70000"));
  start = StartOf("nobody");
  for (int i = 0; i < 101; ++i) (*start.mutable_metric_tags())[std::to_string(i)] = "x";
  EXPECT_THAT(Start(start).message(), HasSubstr("metric_tags: their number is 103"));
  start = StartOf("nobody");
  start.add_actual_lrp_internal_routes()->set_hostname(std::string(256, 'x'));
  EXPECT_THAT(Start(start).message(), HasSubstr("actual_lrp_internal_routes.hostname"));
}

}  // namespace
}  // namespace baton
