#include "orchestrator/routing/resolve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Case {
  std::uint32_t route;
  Ports own;
  Ports active;
  std::optional<std::uint32_t> leads_to;
};

Ports Named(Ports ports, std::map<std::uint32_t, std::uint32_t> aliases) {
  ports.aliases = std::move(aliases);
  return ports;
}

TEST(ResolvePort, ByTheInstancesOwnDefinition) {
  const std::vector<Case> cases = {
      {8080, {8080}, {8080}, 8080},
      {8080, {8080, 9090}, {7070}, 8080},  // its own port, whatever the active one has
      {9090, {8080}, {9090}, 8080},        // the app's only port moved: the old one still answers there
      {9090, {8080, 8081}, {9090}, std::nullopt},
      {9090, {8080}, {9090, 9091}, std::nullopt},
      {9090, {}, {9090}, std::nullopt},
      {9090, {8080}, {}, std::nullopt},
      // 8080 of the old definition is 9090 of the new one, and both have another port.
      {8080, Named({9090, 7070}, {{8080, 9090}}), Named({9090, 7070}, {{8080, 9090}}), 9090},
      {9090, {8080, 7070}, Named({9090, 7070}, {{8080, 9090}}), 8080},  // routes are ahead of the instance
      {8080, Named({7070, 7071}, {{8080, 9090}}), {7070, 7071}, std::nullopt},
      {9090, Named({8080, 9090}, {{9090, 8080}}), {8080}, 9090},  // what it has itself comes first
  };
  for (const Case& c : cases) EXPECT_EQ(ResolvePort(c.route, c.own, c.active), c.leads_to) << c.route;
}

ActualLrp Running() {
  ActualLrp lrp;
  lrp.id = ActualId("a");
  lrp.state = LrpState::kRunning;
  lrp.net_info.address = "10.0.0.1";
  lrp.net_info.ports = {{8080, 61001}, {9090, 61002}};
  return lrp;
}

std::vector<std::string> Addresses(const std::vector<HttpRoute>& routes, const ActualLrp& lrp, const Ports& own) {
  std::vector<std::string> all;
  for (const Endpoint& e : ResolveEndpoints(ProcessGuid("app"), routes, lrp, own, own)) {
    all.push_back(e.hostname + "=" + e.address + ":" + std::to_string(e.port));
  }
  return all;
}

TEST(ResolveEndpoints, AHostNameLeadsToTheHostPortOfItsContainerPort) {
  EXPECT_THAT(Addresses({{"a.example", 8080}, {"b.example", 9090}}, Running(), {8080, 9090}),
              ElementsAre("a.example=10.0.0.1:61001", "b.example=10.0.0.1:61002"));
}

TEST(ResolveEndpoints, OnlyWhatRunsAndIsMappedHasAny) {
  for (const LrpState state : {LrpState::kUnclaimed, LrpState::kClaimed, LrpState::kCrashed}) {
    ActualLrp lrp = Running();
    lrp.state = state;
    EXPECT_THAT(Addresses({{"a.example", 8080}}, lrp, {8080}), IsEmpty());
  }
  EXPECT_THAT(Addresses({{"a.example", 7070}}, Running(), {7070}), IsEmpty()) << "the cell mapped no such port";
}

TEST(ResolveEndpoints, OfTwoPortsOfAHostNameTheFirstLeads) {
  EXPECT_THAT(Addresses({{"a.example", 8080}, {"a.example", 9090}}, Running(), {8080, 9090}),
              ElementsAre("a.example=10.0.0.1:61001"));
}

TEST(UnroutableHostNames, AreThoseThatNoRouteLeadsAnywhere) {
  const std::vector<HttpRoute> routes = {{"a.example", 8080}, {"a.example", 7070}, {"b.example", 7070}};
  EXPECT_THAT(UnroutableHostNames(routes, {8080, 9090}), ElementsAre("b.example"));
  EXPECT_THAT(UnroutableHostNames(routes, {9090}), IsEmpty()) << "one port each: it is meant";
  EXPECT_THAT(UnroutableHostNames(routes, {}), ElementsAre("a.example", "b.example"));
}

}  // namespace
}  // namespace baton
