// The table of endpoints: what changes it tells of, and that these add up to what it holds.
#include "orchestrator/routing/route_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const ProcessGuid kApp("app");

AppRouting Routing(const std::vector<std::pair<std::string, std::uint32_t>>& mapped = {{"a.example", 8080}}) {
  AppRouting routing;
  for (const auto& [name, port] : mapped) routing.mapped.push_back({RouteNamed(name), port});
  routing.wanted = true;
  routing.ports[{1, DefinitionId("v1")}] = {8080};
  routing.ports[{1, DefinitionId("v2")}] = {8080};
  return routing;
}

ActualLrp Ready(const std::string& id, const std::string& definition = "v1") {
  ActualLrp lrp;
  lrp.id = ActualId(id);
  lrp.incarnation = 1;
  lrp.definition = DefinitionId(definition);
  lrp.state = LrpState::kRunning;
  lrp.instance_guid = InstanceGuid(id + "-run");
  lrp.net_info = {"10.0.0.1", "", {{8080, 61000}}};
  lrp.routable = true;
  return lrp;
}

ActualLrp Retiring(ActualLrp lrp) {
  lrp.presence = Presence::kRetiring;
  lrp.awaits_drain = true;
  return lrp;
}

TEST(RouteTable, AnInstanceServesFromReadyUntilItRetiresAndIsHeldUntilItIsGone) {
  RouteTable table;
  RouteDelta up;
  table.SetApp(kApp, Routing(), {Ready("1")}, up);
  EXPECT_THAT(up.added, SizeIs(1));
  EXPECT_THAT(up.serving, ElementsAre(ActualId("1")));
  EXPECT_THAT(table.Serving(), SizeIs(1));
  EXPECT_EQ(table.AppOf(ActualId("1")), kApp);

  RouteDelta away;
  table.Update(kApp, std::nullopt, {Retiring(Ready("1"))}, {}, away);
  EXPECT_THAT(away.draining, SizeIs(1));
  EXPECT_THAT(table.Serving(), IsEmpty());
  EXPECT_THAT(table.Draining(), SizeIs(1));
  EXPECT_EQ(table.FindServing(ActualId("1")), nullptr);

  RouteDelta gone;
  table.Update(kApp, std::nullopt, {}, {ActualId("1")}, gone);
  EXPECT_THAT(gone.removed, SizeIs(1));
  EXPECT_THAT(table.Draining(), IsEmpty());
}

TEST(RouteTable, TheSameRowsAgainChangeNothing) {
  RouteTable table;
  RouteDelta first, second;
  table.SetApp(kApp, Routing(), {Ready("1"), Ready("2")}, first);
  table.SetApp(kApp, Routing(), {Ready("1"), Ready("2")}, second);
  EXPECT_THAT(second.added, IsEmpty());
  EXPECT_THAT(second.removed, IsEmpty());
  EXPECT_THAT(second.draining, IsEmpty());
  EXPECT_THAT(second.serving, IsEmpty());
}

TEST(RouteTable, ADrainThatBeganBeforeThisTableDrains) {
  RouteTable table;
  RouteDelta delta;
  table.SetApp(kApp, Routing(), {Retiring(Ready("1"))}, delta);
  EXPECT_THAT(delta.draining, SizeIs(1));
  EXPECT_THAT(delta.serving, IsEmpty());
  EXPECT_THAT(table.Draining(), SizeIs(1));
}

TEST(RouteTable, ARemovedAppsInstancesKeepTheirEndpointsWhileTheyDrain) {
  RouteTable table;
  RouteDelta delta;
  table.SetApp(kApp, Routing(), {Ready("1")}, delta);
  table.SetApp(kApp, AppRouting{}, {Retiring(Ready("1"))}, delta);
  EXPECT_THAT(table.Draining(), SizeIs(1));
  EXPECT_THAT(delta.removed, IsEmpty());
}

TEST(RouteTable, ARouteThatIsMappedLaterLeadsToWhatRunsAlready) {
  RouteTable table;
  RouteDelta before, after;
  table.SetApp(kApp, Routing({}), {Ready("1")}, before);
  EXPECT_THAT(table.Serving(), IsEmpty());
  table.Update(kApp, Routing(), {}, {}, after);
  EXPECT_THAT(after.added, SizeIs(1));
}

TEST(RouteTable, ANewStartOfAnInstanceIsToldAnew) {
  RouteTable table;
  RouteDelta first, second;
  table.SetApp(kApp, Routing(), {Ready("1")}, first);
  ActualLrp again = Ready("1");
  again.instance_guid = InstanceGuid("another-run");
  table.Update(kApp, std::nullopt, {again}, {}, second);
  EXPECT_THAT(second.added, SizeIs(1)) << "the same address and port, but another process";
  EXPECT_THAT(second.serving, ElementsAre(ActualId("1")));
}

// Rows change at random; what the changes add up to is what the table holds, and what a fresh table would hold.
TEST(RouteTable, ChangesAddUpToTheTable) {
  using Key = std::pair<std::string, ActualId>;
  std::mt19937 random(11);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  RouteTable table;
  std::map<ActualId, ActualLrp> rows;
  std::set<Key> serving, draining;
  std::set<Route> mapped = {RouteNamed("a.example")};
  AppRouting routing = Routing();
  RouteDelta none;
  table.SetApp(kApp, routing, {}, none);
  for (int round = 0; round < 3000; ++round) {
    const ActualId id("i" + std::to_string(below(6)));
    std::vector<ActualLrp> changed;
    std::vector<ActualId> removed;
    std::optional<AppRouting> rerouted;
    const auto row = rows.find(id);
    if (below(8) == 0) {
      routing = below(3) == 0 ? Routing({{"a.example", 8080}, {"b.example", 8080}}) : Routing();
      rerouted = routing;
    } else if (row == rows.end()) {
      changed.push_back(rows[id] = Ready(id.str(), below(2) == 0 ? "v1" : "v2"));
    } else if (row->second.presence == Presence::kRetiring) {
      rows.erase(row);
      removed.push_back(id);
    } else if (below(2) == 0) {
      row->second.routable = !row->second.routable;
      changed.push_back(row->second);
    } else if (row->second.routable) {
      changed.push_back(row->second = Retiring(row->second));
    }
    RouteDelta delta;
    table.Update(kApp, rerouted, changed, removed, delta);
    for (const Endpoint& e : delta.added)
      serving.insert({Name(e.route), e.actual_id}), draining.erase({Name(e.route), e.actual_id});
    for (const Endpoint& e : delta.draining)
      draining.insert({Name(e.route), e.actual_id}), serving.erase({Name(e.route), e.actual_id});
    for (const auto& [route, gone] : delta.removed) serving.erase({Name(route), gone}), draining.erase({Name(route), gone});

    for (const Route& route : delta.mapped) EXPECT_TRUE(mapped.insert(route).second) << round;
    for (const Route& route : delta.unmapped) EXPECT_EQ(mapped.erase(route), 1u) << round;
    const std::vector<Route> told = table.Mapped();
    ASSERT_EQ(mapped, std::set<Route>(told.begin(), told.end())) << round;

    std::set<Key> now;
    for (const Endpoint& e : table.Serving()) now.insert({Name(e.route), e.actual_id});
    ASSERT_EQ(now, serving) << round;
    std::set<Key> wanted;
    for (const auto& [key, lrp] : rows) {
      if (!lrp.routable || lrp.presence == Presence::kRetiring) continue;
      for (const MappedRoute& route : routing.mapped) wanted.insert({Name(route.route), key});
    }
    ASSERT_EQ(now, wanted) << round;
    now.clear();
    for (const Endpoint& e : table.Draining()) now.insert({Name(e.route), e.actual_id});
    ASSERT_EQ(now, draining) << round;
  }
}

TEST(RouteTable, ARouteIsMappedWhetherAnythingServesItAndUntilNoAppHasIt) {
  RouteTable table;
  RouteDelta first;
  table.SetApp(kApp, Routing(), {}, first);
  EXPECT_THAT(first.mapped, ElementsAre(RouteNamed("a.example")));
  EXPECT_THAT(table.Unserved(kApp), ElementsAre(RouteNamed("a.example")));
  RouteDelta second;
  table.SetApp(ProcessGuid("other"), Routing(), {Ready("1")}, second);
  EXPECT_THAT(second.mapped, IsEmpty()) << "two apps have it";
  EXPECT_THAT(second.shared, ElementsAre(RouteNamed("a.example")));
  EXPECT_THAT(table.AppsWith(RouteNamed("a.example")), ElementsAre(kApp, ProcessGuid("other")));
  ASSERT_EQ(table.SharedBy(kApp, 10).size(), 1u);
  EXPECT_EQ(table.SharedBy(kApp, 10)[0].route, RouteNamed("a.example"));
  EXPECT_THAT(table.SharedBy(kApp, 10)[0].others, ElementsAre(ProcessGuid("other")));
  EXPECT_TRUE(table.SharedBy(kApp, 0).empty());
  EXPECT_TRUE(table.SharedBy(ProcessGuid("nobody"), 10).empty());
  RouteDelta same;
  table.SetApp(ProcessGuid("other"), Routing(), {Ready("1")}, same);
  EXPECT_THAT(same.shared, IsEmpty()) << "it is said once";
  EXPECT_THAT(table.Unserved(ProcessGuid("other")), IsEmpty());
  RouteDelta away;
  table.SetApp(kApp, Routing({}), {}, away);
  EXPECT_THAT(away.unmapped, IsEmpty());
  EXPECT_TRUE(table.SharedBy(ProcessGuid("other"), 10).empty());
  table.SetApp(ProcessGuid("other"), Routing({{"b.example", 8080}}), {Ready("1")}, away);
  EXPECT_THAT(away.unmapped, ElementsAre(RouteNamed("a.example")));
  EXPECT_THAT(away.mapped, ElementsAre(RouteNamed("b.example")));
}

// v1 = [8080, 2222] with the route to 8080, then v2 = [9090, 2222] with the route to 9090: the old instances keep
// their endpoints (0.2.0 took all of them off the net in the commit of the update).
TEST(RouteTable, AnInstanceKeepsItsEndpointsWhenAnUpdateChangesPortAndRoute) {
  RouteTable table;
  RouteDelta delta;
  AppRouting routing = Routing();
  routing.ports[{1, DefinitionId("v1")}] = {8080, 2222};
  table.SetApp(kApp, routing, {Ready("1")}, delta);
  routing.mapped.front().port = 9090;
  routing.ports[{1, DefinitionId("v1")}].bindings[RouteNamed("a.example")] = {8080};
  routing.ports[{1, DefinitionId("v2")}] = {9090, 2222};
  RouteDelta updated;
  table.Update(kApp, routing, {}, {}, updated);
  EXPECT_THAT(updated.removed, IsEmpty());
  EXPECT_THAT(table.Serving(), SizeIs(1));
}

// For audits.
bool Matches(const RouteTable& table, const ProcessGuid& guid, const AppRouting& routing,
             const std::vector<ActualLrp>& lrps) {
  std::map<ActualId, ActualLrp> rows;
  for (const ActualLrp& lrp : lrps) rows.emplace(lrp.id, lrp);
  return table.Matches(guid, routing, rows);
}

TEST(RouteTable, MatchesTheRowsThatItIsMadeOfAndNoOthers) {
  RouteTable table;
  RouteDelta ignored;
  table.SetApp(kApp, Routing(), {Ready("1"), Ready("2")}, ignored);
  EXPECT_TRUE(Matches(table, kApp, Routing(), {Ready("1"), Ready("2")}));
  EXPECT_FALSE(Matches(table, kApp, Routing(), {Ready("1")})) << "a row is gone";
  EXPECT_FALSE(Matches(table, kApp, Routing(), {Ready("1"), Ready("2"), Ready("3")})) << "or has come";
  EXPECT_FALSE(Matches(table, kApp, Routing({{"b.example", 8080}}), {Ready("1"), Ready("2")})) << "another route";
  EXPECT_FALSE(Matches(table, ProcessGuid("other"), Routing(), {})) << "a route that nothing serves is one, too";
  EXPECT_TRUE(Matches(table, ProcessGuid("other"), AppRouting(), {}));
  AppRouting worker;
  worker.wanted = true;
  EXPECT_TRUE(Matches(table, ProcessGuid("worker"), worker, {})) << "of an app without routes nothing need be known";
  table.Update(kApp, std::nullopt, {Retiring(Ready("2"))}, {}, ignored);
  EXPECT_TRUE(Matches(table, kApp, Routing(), {Ready("1"), Retiring(Ready("2"))}));
  EXPECT_FALSE(Matches(table, kApp, Routing(), {Ready("1")})) << "what drains has no row any more";
}

TEST(RouteTable, GivesTheAppsOfARange) {
  RouteTable table;
  RouteDelta ignored;
  for (const char* guid : {"a", "b", "c", "d"}) table.SetApp(ProcessGuid(guid), Routing(), {}, ignored);
  EXPECT_THAT(table.Between(ProcessGuid("a"), ProcessGuid("c"), 9), ElementsAre(ProcessGuid("b"), ProcessGuid("c")));
  EXPECT_THAT(table.Between(ProcessGuid("c"), std::nullopt, 9), ElementsAre(ProcessGuid("d")));
  EXPECT_THAT(table.Between(ProcessGuid(), ProcessGuid("0"), 9), IsEmpty());
  EXPECT_THAT(table.Between(ProcessGuid(), std::nullopt, 2), ElementsAre(ProcessGuid("a"), ProcessGuid("b")));
}

}  // namespace
}  // namespace baton
