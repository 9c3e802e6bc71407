#include "orchestrator/routing/resolve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

MappedRoute To(const std::string& name, std::uint32_t port) { return {RouteNamed(name), port}; }

Ports Named(Ports ports, std::map<std::uint32_t, std::uint32_t> aliases) {
  ports.aliases = std::move(aliases);
  return ports;
}

TEST(RouteNames, AreReadAsTheyAreWritten) {
  for (const char* name : {"shop.example", "shop.example/api", "*.shop.example", "tcp:1024", "tcp:65535@group-1"}) {
    EXPECT_EQ(Name(RouteNamed(name)), name);
  }
  EXPECT_EQ(RouteNamed("tcp:0"), Route());
  EXPECT_EQ(RouteNamed("tcp:65536"), Route());
  EXPECT_EQ(RouteNamed("shop.example/api").path, "/api");
}

TEST(DefaultBinding, TheSamePortElseAnAliasElseTheOnlyOne) {
  struct Case {
    std::uint32_t route;
    Ports ports;
    std::uint32_t leads_to;
  };
  const std::vector<Case> cases = {
      {8080, {8080}, 8080},
      {8080, {8080, 9090}, 8080},
      {9090, {8080}, 8080},  // its only port
      {9090, {8080, 8081}, 0},
      {9090, {}, 0},
      {8080, Named({9090, 7070}, {{8080, 9090}}), 9090},
      {8080, Named({7070, 7071}, {{8080, 9090}}), 0},       // an alias for what it has not
      {9090, Named({8080, 9090}, {{9090, 8080}}), 9090},    // what it has itself comes first
  };
  for (const Case& c : cases) EXPECT_EQ(DefaultBinding(c.route, c.ports).port, c.leads_to) << c.route;
}

TEST(Bindings, OfTheDefinitionComeBeforeTheDefault) {
  Ports ports{8080, 2222};
  ports.bindings[RouteNamed("a.example")] = {2222};
  ports.bindings[RouteNamed("b.example")] = {.port = 0, .accepted = true};
  EXPECT_EQ(BindingOf(To("a.example", 8080), ports).port, 2222u);
  EXPECT_EQ(BindingOf(To("b.example", 8080), ports).port, 0u);
  EXPECT_EQ(BindingOf(To("c.example", 8080), ports).port, 8080u);
  EXPECT_TRUE(BindingOf(To("b.example", 8080), ports).accepted);
  EXPECT_EQ(BindingOf(To("d.example", 9090), ports), Binding()) << "nobody said that it may lead nowhere";
}

TEST(Bindings, OnlyWhatDiffersFromTheDefaultIsKept) {
  const Ports ports{8080, 2222};
  const std::vector<MappedRoute> routes = {To("a.example", 8080), To("b.example", 9090)};
  const Bindings wanted = {{RouteNamed("a.example"), {8080}}, {RouteNamed("b.example"), {2222}}};
  const Bindings kept = KeptBindings(routes, wanted, ports);
  EXPECT_EQ(kept, (Bindings{{RouteNamed("b.example"), {2222}}}));
}

ActualLrp Running() {
  ActualLrp lrp;
  lrp.id = ActualId("a");
  lrp.state = LrpState::kRunning;
  lrp.net_info.address = "10.0.0.1";
  lrp.net_info.ports = {{8080, 61001}, {9090, 61002}};
  return lrp;
}

std::vector<std::string> Addresses(const std::vector<MappedRoute>& routes, const ActualLrp& lrp, const Ports& own) {
  std::vector<std::string> all;
  for (const Endpoint& e : ResolveEndpoints(ProcessGuid("app"), routes, lrp, own)) {
    all.push_back(Name(e.route) + "=" + e.address + ":" + std::to_string(e.port));
  }
  return all;
}

TEST(ResolveEndpoints, ARouteLeadsToTheHostPortOfItsContainerPort) {
  EXPECT_THAT(Addresses({To("a.example", 8080), To("b.example/api", 9090)}, Running(), {8080, 9090}),
              ElementsAre("a.example=10.0.0.1:61001", "b.example/api=10.0.0.1:61002"));
}

TEST(ResolveEndpoints, OnlyWhatRunsAndIsMappedHasAny) {
  for (const LrpState state : {LrpState::kUnclaimed, LrpState::kClaimed, LrpState::kCrashed}) {
    ActualLrp lrp = Running();
    lrp.state = state;
    EXPECT_THAT(Addresses({To("a.example", 8080)}, lrp, {8080}), IsEmpty());
    EXPECT_FALSE(HasEndpoint({To("a.example", 8080)}, lrp, {8080}));
  }
  EXPECT_TRUE(HasEndpoint({To("a.example", 8080)}, Running(), {8080}));
  EXPECT_THAT(Addresses({To("a.example", 7070)}, Running(), {7070}), IsEmpty()) << "the cell mapped no such port";
}

}  // namespace
}  // namespace baton
