// Updates that change ports and routes, under traffic on every mapped route: the shape of Cloud Foundry's apps, which
// have a port for requests and 2222 for ssh. 0.2.0 took all running instances off the net in the commit of the update.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/e2e/scene.h"
#include "tools/stack/http.h"

namespace baton {
namespace {

constexpr std::uint32_t kSshPort = 2222;

class RouteScenes : public Scene {
 protected:
  // A version that listens on this port.
  v2::LRPDefinition On(std::uint32_t port, const std::string& version, const std::vector<std::string>& settings = {}) {
    stack::HelloApp app = app_;
    app.port = port;
    v2::LRPDefinition definition = stack::HelloDefinition(app, version, settings);
    definition.mutable_run_info()->add_ports(kSshPort);
    return definition;
  }

  static v1::ProtoRoutes To(const std::map<std::string, std::uint32_t>& ports) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& [hostname, port] : ports) list.push_back({{"hostnames", {hostname}}, {"port", port}});
    v1::ProtoRoutes routes;
    (*routes.mutable_routes())["cf-router"] = list.dump();
    return routes;
  }

  void BeginOn(std::uint32_t port) {
    v2::DesiredLRP desired = stack::DesiredHello(app_, On(port, "v1"));
    *desired.mutable_routes() = To({{app_.hostname, port}});
    ASSERT_EQ(EndOf(stack_->api().Desire(desired)), v2::COMPLETED);
  }

  // With its route.
  v2::Roll UpdateOn(std::uint32_t port, const std::string& version, const std::vector<std::string>& settings = {}) {
    v2::DesiredLRPUpdate update = stack::UpdateTo(On(port, version, settings));
    *update.mutable_routes() = To({{app_.hostname, port}});
    return stack_->api().Update(app_.process_guid, update).roll();
  }

  // It never gets ready, and exits.
  v2::Roll UpdateToABadOneOn(std::uint32_t port, const std::string& version) {
    return UpdateOn(port, version, {"NEVER_READY=1", "CRASH_AFTER_MS=300"});
  }

  v2::Roll UpdateByAlias(std::uint32_t route_port, std::uint32_t own_port, const v2::LRPDefinition& definition) {
    v2::DesiredLRPUpdate update = stack::UpdateTo(definition);
    v2::PortAlias& alias = *update.add_port_aliases();
    alias.set_route_port(route_port);
    alias.set_definition_port(own_port);
    return stack_->api().Update(app_.process_guid, update).roll();
  }

  bool Answers(const std::string& host) { return stack::HttpGet(stack_->http_address(), host).status == 200; }

  // So much of the traffic came after what went before.
  void AwaitMoreTraffic() {
    const std::int64_t before = load_->Snapshot().answered;
    ASSERT_TRUE(Await([&] { return load_->Snapshot().answered > before + 100; }));
  }
};

TEST_F(RouteScenes, PortAndRouteChangeTogetherAndABadVersionGoesBackAndAnUndoToo) {
  BeginOn(8080);
  StartTraffic();
  EXPECT_EQ(EndOf(UpdateOn(9090, "v2")), v2::COMPLETED);
  AwaitMoreTraffic();
  EXPECT_EQ(EndOf(UpdateToABadOneOn(7070, "v3")), v2::ROLLED_BACK);
  EXPECT_TRUE(AwaitOnly("v2", app_.instances));
  AwaitMoreTraffic();
  EXPECT_EQ(EndOf(stack_->api().RollBack(app_.process_guid, "v1")), v2::COMPLETED);
  EXPECT_TRUE(AwaitOnly("v1", app_.instances));
  AwaitMoreTraffic();
  ExpectDrainsAsTraffic(2 * app_.instances);  // there and back
  ExpectUnnoticed();
}

TEST_F(RouteScenes, APortAliasLeadsThroughAnUpdateAndARollback) {
  BeginOn(8080);
  StartTraffic();
  EXPECT_EQ(EndOf(UpdateByAlias(8080, 9090, On(9090, "v2"))), v2::COMPLETED);
  const v2::LRPDefinition bad = On(7070, "v3", {"NEVER_READY=1", "CRASH_AFTER_MS=300"});
  EXPECT_EQ(EndOf(UpdateByAlias(8080, 7070, bad)), v2::ROLLED_BACK);
  AwaitMoreTraffic();
  ExpectDrainsAsTraffic(app_.instances);
  ExpectUnnoticed();
}

TEST_F(RouteScenes, AHeldRollToAnotherPortServesOnAndIsCancelled) {
  v2::DesiredLRP desired = stack::DesiredHello(app_, stack::HelloDefinition(app_, "v1"));
  desired.mutable_strategy()->set_on_failure(v2::Strategy::HOLD);
  ASSERT_EQ(EndOf(stack_->api().Desire(desired)), v2::COMPLETED);
  StartTraffic();
  EXPECT_EQ(EndOf(UpdateToABadOneOn(9090, "v2")), v2::HELD);
  AwaitMoreTraffic();
  EXPECT_EQ(EndOf(stack_->api().Cancel(app_.process_guid)), v2::ROLLED_BACK);
  AwaitMoreTraffic();
  ExpectUnnoticed();
}

TEST_F(RouteScenes, ThreeUpdatesDeepEachInstanceIsAskedOnItsOwnPort) {
  BeginOn(8080);
  StartTraffic();
  const v2::Roll second = UpdateOn(9090, "v2");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  const v2::Roll third = UpdateOn(7070, "v3");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  const v2::Roll fourth = UpdateOn(6060, "v4");
  EXPECT_EQ(EndOf(second), v2::SUPERSEDED);
  EXPECT_EQ(EndOf(third), v2::SUPERSEDED);
  EXPECT_EQ(EndOf(fourth), v2::COMPLETED);
  EXPECT_TRUE(AwaitOnly("v4", app_.instances));
  ExpectDrainsAsTraffic(app_.instances + 2);  // of v1, and one of v2 and of v3 at least
  ExpectUnnoticed();
}

// One route of each kind, all mapped while the roll goes on; each is answered until it is unmapped.
TEST_F(RouteScenes, RoutesAreMappedAndUnmappedInTheMidstOfARoll) {
  BeginOn(8080);
  StartTraffic();
  const v2::Roll roll = UpdateOn(9090, "v2");
  ASSERT_TRUE(AwaitStep("handed_over", 1));
  v2::DesiredLRPUpdate map;
  *map.mutable_routes() = To({{app_.hostname, 9090}, {"*.wild.example", 9090}});
  stack_->api().Update(app_.process_guid, map);
  ASSERT_TRUE(Await([&] { return Answers("a.wild.example"); }));
  const auto wild = load::Load::Start({.target = stack_->http_address(), .host = "b.wild.example", .rate = 50});
  EXPECT_EQ(EndOf(roll), v2::COMPLETED);
  wild->Stop();
  EXPECT_EQ(wild->Snapshot().failed, 0);
  EXPECT_GT(wild->Snapshot().answered, 0);
  v2::DesiredLRPUpdate unmap;
  *unmap.mutable_routes() = To({{app_.hostname, 9090}});
  stack_->api().Update(app_.process_guid, unmap);
  ASSERT_TRUE(Await([&] { return !Answers("a.wild.example"); }));
  ExpectDrainsAsTraffic(app_.instances);
  ExpectUnnoticed();
}

}  // namespace
}  // namespace baton
