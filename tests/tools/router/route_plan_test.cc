#include "tools/router/routes/route_plan.h"

#include <gmock/gmock.h>

#include "tests/tools/router/route_of.h"

namespace baton::router {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kMap[] = "/run/x/hosts.map";

HaproxyServer Server(ServerMode mode, std::uint32_t port = 80) {
  return {.address = "10.0.0.1", .port = port, .mode = mode, .weight = 1};
}

// a.example on be_0000, and a free be_0001.
HaproxyView Haproxy(HaproxyView::Servers servers) {
  HaproxyView view;
  view.pool = {"be_0000", "be_0001"};
  view.routes = {{"a.example/", "be_0000"}};
  if (!servers.empty()) view.servers["be_0000"] = std::move(servers);
  return view;
}

std::vector<std::string> Plan(const std::vector<RouteEndpoint>& endpoints, const HaproxyView& view,
                              const std::vector<RouteKey>& mapped = {}) {
  RouteTable table;
  table.Replace({1, 1}, endpoints, mapped);
  return PlanRoutes(table, AssignBackends(table, view), view, kMap);
}

TEST(RoutePlan, WhatIsInForceNeedsNothing) {
  EXPECT_THAT(Plan({At("a.example", "i1"), At("a.example", "i2", 80, true)},
                   Haproxy({{"i1", Server(ServerMode::kReady)}, {"i2", Server(ServerMode::kDrain)}})),
              IsEmpty());
}

TEST(RoutePlan, ANewHostNameIsMappedAfterItsServersServe) {
  EXPECT_THAT(Plan({At("a.example", "i1"), At("b.example", "i2", 81)}, Haproxy({{"i1", Server(ServerMode::kReady)}})),
              ElementsAre("add server be_0001/i2 10.0.0.1:81 pool-max-conn 128 pool-purge-delay 1s",
                          "enable server be_0001/i2", "add map /run/x/hosts.map b.example/ be_0001"));
}

TEST(RoutePlan, AReplacementServesBeforeItsPredecessorDrains) {
  EXPECT_THAT(
      Plan({At("a.example", "i1", 80, true), At("a.example", "i2", 81)}, Haproxy({{"i1", Server(ServerMode::kReady)}})),
      ElementsAre("add server be_0000/i2 10.0.0.1:81 pool-max-conn 128 pool-purge-delay 1s", "enable server be_0000/i2",
                  "set server be_0000/i1 state drain"));
}

TEST(RoutePlan, AVanishedEndpointGoesAfterTheNewOneServes) {
  EXPECT_THAT(Plan({At("a.example", "i2", 81)}, Haproxy({{"i1", Server(ServerMode::kReady)}})),
              ElementsAre("add server be_0000/i2 10.0.0.1:81 pool-max-conn 128 pool-purge-delay 1s",
                          "enable server be_0000/i2", "set server be_0000/i1 state maint"));
}

TEST(RoutePlan, AnUnmappedHostNameLeavesTheMapFirst) {
  EXPECT_THAT(Plan({}, Haproxy({{"i1", Server(ServerMode::kReady)}})),
              ElementsAre("del map /run/x/hosts.map a.example/", "set server be_0000/i1 state maint"));
}

TEST(RoutePlan, ServersOfTheFormerHostNameLeaveABackendBeforeTheNextComes) {
  HaproxyView view = Haproxy({{"i1", Server(ServerMode::kReady)}});
  view.pool = {"be_0000"};
  EXPECT_THAT(Plan({At("b.example", "i2", 81)}, view),
              ElementsAre("del map /run/x/hosts.map a.example/", "set server be_0000/i1 state maint",
                          "add server be_0000/i2 10.0.0.1:81 pool-max-conn 128 pool-purge-delay 1s",
                          "enable server be_0000/i2", "add map /run/x/hosts.map b.example/ be_0000"));
}

TEST(RoutePlan, AnotherAddressIsSetInPlace) {
  EXPECT_THAT(Plan({At("a.example", "i1", 81)}, Haproxy({{"i1", Server(ServerMode::kReady, 80)}})),
              ElementsAre("set server be_0000/i1 addr 10.0.0.1 port 81"));
}

TEST(RoutePlan, ADrainingEndpointThatServesAgainIsMadeReady) {
  EXPECT_THAT(Plan({At("a.example", "i1")}, Haproxy({{"i1", Server(ServerMode::kDrain)}})),
              ElementsAre("set server be_0000/i1 state ready"));
}

TEST(RoutePlan, AnUnknownDrainingEndpointGetsNoServer) {
  EXPECT_THAT(Plan({At("a.example", "i1", 80, true)}, Haproxy({})), IsEmpty());
}

TEST(RoutePlan, WhatAHandDidIsUndone) {
  HaproxyView view = Haproxy({{"i1", Server(ServerMode::kDown)}});
  view.servers["be_0000"]["i1"].weight = 0;
  EXPECT_THAT(Plan({At("a.example", "i1")}, view),
              ElementsAre("set server be_0000/i1 state ready", "set server be_0000/i1 weight 100%",
                          "set server be_0000/i1 health up"));
}

TEST(RoutePlan, AHostNameWithoutABackendIsMappedToTheRefusal) {
  HaproxyView view = Haproxy({{"i1", Server(ServerMode::kReady)}});
  view.pool = {"be_0000"};
  EXPECT_THAT(Plan({At("a.example", "i1"), At("b.example", "i2")}, view),
              ElementsAre("add map /run/x/hosts.map b.example/ be_full"));
}

TEST(RoutePlan, ARouteThatNobodyServesAnyMoreIsAnsweredBeforeItsServerGoes) {
  EXPECT_THAT(Plan({}, Haproxy({{"i1", Server(ServerMode::kReady)}}), {RouteOf("a.example")}),
              ElementsAre("set map /run/x/hosts.map a.example/ be_idle", "set server be_0000/i1 state maint"));
}

TEST(RoutePlan, ARouteThatIsServedAgainIsMappedAfterItsServersServe) {
  HaproxyView view = Haproxy({});
  view.routes = {{"a.example/", "be_idle"}};
  EXPECT_THAT(Plan({At("a.example", "i1")}, view, {RouteOf("a.example")}),
              ElementsAre("add server be_0000/i1 10.0.0.1:80 pool-max-conn 128 pool-purge-delay 1s",
                          "enable server be_0000/i1", "set map /run/x/hosts.map a.example/ be_0000"));
}

TEST(RoutePlan, ARouteThatIsMappedAndServedByNobodyIsKnown) {
  EXPECT_THAT(Plan({At("a.example", "i1")}, Haproxy({{"i1", Server(ServerMode::kReady)}}), {RouteOf("*.b.example/api")}),
              ElementsAre("add map /run/x/hosts.map b.example*/api/ be_idle"));
}

TEST(RoutePlan, TcpServersAreAddedToTheirPort) {
  HaproxyView view = Haproxy({});
  view.routes.clear();
  view.tcp = {"tcp_01024"};
  EXPECT_THAT(Plan({At(":1024/g", "i1")}, view),
              ElementsAre("add server tcp_01024/i1 10.0.0.1:80", "enable server tcp_01024/i1",
                          "add map /run/x/hosts.map :1024/g tcp_01024"));
}

// Otherwise the last route's connections would go to the next one's app for a moment.
TEST(RoutePlan, APortThatChangesHandsIsLeftByTheFormerRouteFirst) {
  HaproxyView view = Haproxy({});
  view.tcp = {"tcp_01024"};
  view.routes = {{":1024/g1", "tcp_01024"}};
  view.servers["tcp_01024"]["i1"] = Server(ServerMode::kReady);
  EXPECT_THAT(Plan({At(":1024/g2", "i2")}, view),
              ElementsAre("del map /run/x/hosts.map :1024/g1", "set server tcp_01024/i1 state maint",
                          "add server tcp_01024/i2 10.0.0.1:80", "enable server tcp_01024/i2",
                          "add map /run/x/hosts.map :1024/g2 tcp_01024"));
}

TEST(RoutePlan, ServersThatTheTableDoesNotHaveAreLeftovers) {
  RouteTable table;
  table.Replace({1, 1}, {At("a.example", "i1")});
  HaproxyView view = Haproxy({{"i1", Server(ServerMode::kReady)}, {"old", Server(ServerMode::kMaint)}});
  view.servers["be_0001"]["i1"] = Server(ServerMode::kMaint);
  EXPECT_THAT(Leftovers(table, AssignBackends(table, view), view), ElementsAre("be_0000/old", "be_0001/i1"));
}

}  // namespace
}  // namespace baton::router
