// Which port is behind a route in which definition, through updates of definitions, routes, both and aliases.
#include "orchestrator/app/apps/bind_routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/app/apps/change_roll.h"
#include "orchestrator/app/apps/update.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

class BindingTest : public ::testing::Test {
 protected:
  BindingTest() : maker(AppMaker::Settled(2)) {
    definition("v1").ports = {8080, 2222};
    maker.app.definitions.erase({1, DefinitionId("v2")});
    maker.app.desired->routes.mapped = {{RouteNamed("shop.example"), 8080}};
  }

  Definition& definition(const std::string& id) { return maker.app.definitions.at({1, DefinitionId(id)}); }

  static UpdateRequest To(const std::string& id, std::vector<std::uint32_t> ports) {
    UpdateRequest request;
    request.definition.emplace();
    request.definition->definition.id = DefinitionId(id);
    request.definition->definition.content_hash = "hash of " + id;
    request.definition->definition.ports = std::move(ports);
    return request;
  }

  static Routes Mapped(const std::vector<std::pair<std::string, std::uint32_t>>& all) {
    Routes routes;
    for (const auto& [name, port] : all) routes.mapped.push_back({RouteNamed(name), port});
    std::ranges::sort(routes.mapped);
    return routes;
  }

  Status Update(const UpdateRequest& request) {
    return Do([&](AppEdit& edit) { return DecideUpdate(edit, request); });
  }

  Status Do(const std::function<Status(AppEdit&)>& decide) {
    AppEdit edit(maker.app, maker.moment, "test");
    const Status status = decide(edit);
    status ? void(edit.Finish()) : edit.Undo();
    return status;
  }

  // 0: nowhere.
  std::uint32_t PortOf(const std::string& route, const std::string& id) {
    const Routes& routes = maker.app.desired->routes;
    for (const MappedRoute& one : routes.mapped) {
      if (Name(one.route) == route) return BindingOf(one, Ports(definition(id), routes)).port;
    }
    return 0;
  }

  AppMaker maker;
};

TEST_F(BindingTest, AnUpdateOfPortAndRouteLeavesTheOldInstancesTheirs) {
  UpdateRequest request = To("v2", {9090, 2222});
  request.routes = Mapped({{"shop.example", 9090}});
  ASSERT_TRUE(Update(request).ok());
  EXPECT_EQ(PortOf("shop.example", "v1"), 8080u);
  EXPECT_EQ(PortOf("shop.example", "v2"), 9090u);
}

TEST_F(BindingTest, AWayBackToADefinitionInWhichARouteLeadsNowhereIsRefused) {
  UpdateRequest request = To("v2", {9090, 2222});
  request.routes = Mapped({{"shop.example", 9090}});
  ASSERT_TRUE(Update(request).ok());
  maker.app.desired->routes.bindings[DefinitionId("v1")][RouteNamed("shop.example")] = Binding{};
  const Status back = Do([](AppEdit& edit) { return DecideRollBack(edit, DefinitionId("v1")); });
  ASSERT_FALSE(back.ok());
  EXPECT_THAT(back.error().message, HasSubstr("shop.example"));
  EXPECT_EQ(maker.app.desired->active, DefinitionId("v2"));
}

TEST_F(BindingTest, ACancelAndAnUndoChangeNoBinding) {
  UpdateRequest request = To("v2", {9090, 2222});
  request.routes = Mapped({{"shop.example", 9090}});
  ASSERT_TRUE(Update(request).ok());
  ASSERT_TRUE(Do([](AppEdit& edit) {
                return DecideChangeRoll(edit, {.event = RollEvent::kCancel, .roll_id = std::nullopt, .reason = ""});
              }).ok());
  EXPECT_EQ(PortOf("shop.example", "v1"), 8080u);
  EXPECT_EQ(PortOf("shop.example", "v2"), 9090u);
}

TEST_F(BindingTest, ADefinitionWithoutRoutesGetsTheActiveOnesPortItsAliasOrItsOnlyPort) {
  ASSERT_TRUE(Update(To("v2", {8080, 9090})).ok());
  EXPECT_EQ(PortOf("shop.example", "v2"), 8080u);
  UpdateRequest renamed = To("v3", {9090, 7070});
  renamed.port_aliases = {{8080, 9090}};
  ASSERT_TRUE(Update(renamed).ok());
  EXPECT_EQ(PortOf("shop.example", "v3"), 9090u);
  ASSERT_TRUE(Update(To("v4", {7070})).ok());
  EXPECT_EQ(PortOf("shop.example", "v4"), 7070u);
}

TEST_F(BindingTest, AnAliasMayNameThePortOfTheActiveDefinitionToo) {
  UpdateRequest second = To("v2", {9090, 2222});
  second.port_aliases = {{8080, 9090}};
  ASSERT_TRUE(Update(second).ok());
  UpdateRequest third = To("v3", {7070, 2222});
  third.port_aliases = {{9090, 7070}};
  ASSERT_TRUE(Update(third).ok());
  EXPECT_EQ(PortOf("shop.example", "v3"), 7070u);
  EXPECT_EQ(PortOf("shop.example", "v2"), 9090u);
  EXPECT_EQ(PortOf("shop.example", "v1"), 8080u);
}

TEST_F(BindingTest, ThreeUpdatesDeepEachDefinitionKeepsItsOwn) {
  for (const auto& [id, port] : std::vector<std::pair<std::string, std::uint32_t>>{{"v2", 9090}, {"v3", 7070}}) {
    UpdateRequest request = To(id, {port, 2222});
    request.routes = Mapped({{"shop.example", port}});
    ASSERT_TRUE(Update(request).ok());
  }
  EXPECT_EQ(PortOf("shop.example", "v1"), 8080u);
  EXPECT_EQ(PortOf("shop.example", "v2"), 9090u);
  EXPECT_EQ(PortOf("shop.example", "v3"), 7070u);
  UpdateRequest back;  // by a caller who sends the whole of v1 again, with the routes that hold
  back = To("v1", {8080, 2222});
  back.definition->definition.content_hash = definition("v1").content_hash;
  back.routes = maker.app.desired->routes;
  back.retry = true;
  ASSERT_TRUE(Update(back).ok());
  EXPECT_EQ(PortOf("shop.example", "v1"), 8080u) << "it knows the route, and has no port 7070";
}

TEST_F(BindingTest, RoutesAloneGoToEachDefinitionThatHasThePort) {
  UpdateRequest request;
  request.routes = Mapped({{"shop.example", 2222}, {"new.example", 8080}, {"odd.example", 8080}});
  ASSERT_TRUE(Update(request).ok());
  EXPECT_EQ(PortOf("shop.example", "v1"), 2222u);
  EXPECT_EQ(PortOf("new.example", "v1"), 8080u);
  request.routes = Mapped({{"new.example", 8080}});
  ASSERT_TRUE(Update(request).ok());
  EXPECT_EQ(maker.app.desired->routes.mapped.size(), 1u);
}

TEST_F(BindingTest, ARouteThatWouldBeServedByNobodyIsRefusedWithWhatHelps) {
  UpdateRequest alone;
  alone.routes = Mapped({{"shop.example", 8080}, {"new.example", 7070}});
  const Status refused = Update(alone);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kFailedPrecondition);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("new.example"), HasSubstr("v1"), HasSubstr("8080, 2222"), HasSubstr("accept_unroutable")));
  alone.accept_unroutable = true;
  EXPECT_TRUE(Update(alone).ok());
  EXPECT_EQ(PortOf("new.example", "v1"), 0u);
  UpdateRequest other;
  other.routes = Mapped({{"shop.example", 8080}, {"new.example", 7070}, {"third.example", 8080}});
  EXPECT_TRUE(Update(other).ok()) << "what was accepted once is not asked again";
}

TEST_F(BindingTest, ADefinitionThatLeavesARouteUnboundIsRefused) {
  const Status refused = Update(To("v2", {9090, 7070}));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kFailedPrecondition);
  EXPECT_FALSE(maker.app.definitions.contains({1, DefinitionId("v2")})) << "a refused call leaves nothing";
}

// While v1 runs and v2 is on its way, a route may be mapped to a port that only v1 has: somebody serves it.
TEST_F(BindingTest, ARouteThatSomeInstanceServesIsTakenInTheMidstOfARoll) {
  UpdateRequest second = To("v2", {9090, 2222});
  second.routes = Mapped({{"shop.example", 9090}});
  ASSERT_TRUE(Update(second).ok());
  UpdateRequest map;
  map.routes = Mapped({{"shop.example", 9090}, {"old.example", 8080}});
  ASSERT_TRUE(Update(map).ok());
  EXPECT_EQ(PortOf("old.example", "v1"), 8080u);
  EXPECT_EQ(PortOf("old.example", "v2"), 0u);
}

TEST_F(BindingTest, TheSameRoutesAgainChangeNothing) {
  UpdateRequest second = To("v2", {9090, 2222});
  second.routes = Mapped({{"shop.example", 9090}});
  ASSERT_TRUE(Update(second).ok());
  const Routes before = maker.app.desired->routes;
  UpdateRequest again;
  again.routes = Mapped({{"shop.example", 9090}});
  ASSERT_TRUE(Update(again).ok());
  EXPECT_EQ(maker.app.desired->routes, before);
}

}  // namespace
}  // namespace baton
