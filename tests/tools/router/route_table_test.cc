#include "tools/router/routes/route_table.h"

#include <gmock/gmock.h>

#include "tests/tools/router/route_of.h"

namespace baton::router {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(RouteTable, ASnapshotReplacesEverything) {
  RouteTable table;
  table.Replace({1, 5}, {At("a.example", "i1"), At("b.example", "i2")});
  table.Replace({2, 1}, {At("a.example", "i3")});
  EXPECT_EQ(table.routes().size(), 1u);
  EXPECT_EQ(table.routes().at(RouteOf("a.example")).size(), 1u);
  EXPECT_EQ(table.revision(), (RouteRevisionId{2, 1}));
}

TEST(RouteTable, MeasuredAreThoseOfAppsThatAreAndAllThatDrain) {
  const auto of = [](const std::string& app, RouteEndpoint endpoint) {
    endpoint.app = app;
    return endpoint;
  };
  RouteTable table;
  table.Replace(
      {1, 1},
      {of("shop", At("a.example", "i1")), of("shop", At("b.example", "i1")), of("shop", At("a.example", "i2")),
       of("blog", At("c.example", "i3")), of("blog", At("c.example", "i4", 80, true))},
      {}, {"shop"});
  EXPECT_THAT(table.MeasuredInstances(), ElementsAre("i1", "i2", "i4"));
  table.Change({1, 2}, {.measured = {"blog"}, .unmeasured = {"shop", "unknown"}});
  EXPECT_THAT(table.MeasuredInstances(), ElementsAre("i3", "i4"));
  table.Replace({1, 3}, {of("blog", At("c.example", "i3"))});
  EXPECT_THAT(table.MeasuredInstances(), IsEmpty()) << "a leader of before 0.3 measures nothing";
}

TEST(RouteTable, InASnapshotDrainingWinsInEitherOrder) {
  RouteTable table;
  table.Replace({1, 1}, {At("a.example", "i1"), At("a.example", "i1", 80, true), At("a.example", "i2", 80, true),
                         At("a.example", "i2")});
  EXPECT_THAT(table.DrainingInstances(), ElementsAre("i1", "i2"));
}

TEST(RouteTable, AnAddedEndpointReplacesTheOneOfTheSameName) {
  RouteTable table;
  table.Replace({1, 1}, {At("a.example", "i1", 80)});
  table.Change({1, 2}, {.added = {At("a.example", "i1", 81)}});
  EXPECT_EQ(table.EndpointCount(), 1u);
  EXPECT_EQ(table.routes().at(RouteOf("a.example")).at("i1").port, 81u);
}

TEST(RouteTable, ADrainingEndpointThatIsAddedAgainServes) {
  RouteTable table;
  table.Replace({1, 1}, {At("a.example", "i1", 80, true)});
  table.Change({1, 2}, {.added = {At("a.example", "i1")}});
  EXPECT_THAT(table.DrainingInstances(), IsEmpty());
}

TEST(RouteTable, ARouteGoesWithItsLastEndpoint) {
  RouteTable table;
  table.Replace({1, 1}, {At("a.example", "i1"), At("a.example", "i2")});
  table.Change({1, 2}, {.removed = {{RouteOf("a.example"), "i1"}, {RouteOf("a.example"), "unknown"}, {RouteOf("unknown"), "i1"}}});
  EXPECT_EQ(table.routes().size(), 1u);
  table.Change({1, 3}, {.removed = {{RouteOf("a.example"), "i2"}}});
  EXPECT_EQ(table.routes().size(), 0u);
}

TEST(RouteTable, AnInstanceDrainsOnlyWhenItDrainsInAllItsRoutes) {
  RouteTable table;
  table.Replace({1, 1}, {At("a.example", "i1"), At("b.example", "i1")});
  table.Change({1, 2}, {.draining = {At("a.example", "i1")}});
  EXPECT_THAT(table.DrainingInstances(), IsEmpty());
  table.Change({1, 3}, {.draining = {At("b.example", "i1")}});
  EXPECT_THAT(table.DrainingInstances(), ElementsAre("i1"));
}

TEST(RouteTable, AnUnknownDrainingEndpointIsKnownFromThenOn) {
  RouteTable table;
  table.Change({1, 2}, {.draining = {At("a.example", "i9")}});
  EXPECT_THAT(table.DrainingInstances(), ElementsAre("i9"));
}

TEST(RouteTable, TwoPathsOfOneHostNameAreTwoRoutes) {
  RouteTable table;
  table.Replace({1, 1}, {At("a.example", "i1"), At("a.example/api", "i1", 81), At(":1024", "i1", 82)});
  EXPECT_EQ(table.routes().size(), 3u);
  EXPECT_EQ(table.HttpRouteCount(), 2u);
  table.Change({1, 2}, {.removed = {{RouteOf("a.example/api"), "i1"}}});
  EXPECT_EQ(table.routes().size(), 2u);
}

TEST(RouteTable, MappedRoutesAreThoseOfTheSnapshotAndOfChangesSince) {
  RouteTable table;
  table.Replace({1, 1}, {}, {RouteOf("a.example"), RouteOf("b.example")});
  table.Change({1, 2}, {.mapped = {RouteOf("c.example"), RouteOf("a.example")}, .unmapped = {RouteOf("a.example")}});
  EXPECT_THAT(table.mapped(), ElementsAre(RouteOf("a.example"), RouteOf("b.example"), RouteOf("c.example")));
  table.Replace({2, 1}, {}, {RouteOf("d.example")});
  EXPECT_THAT(table.mapped(), ElementsAre(RouteOf("d.example")));
}

// batond waits for the word of every router, whatever this one serves.
TEST(RouteTable, WhatDrainsElsewhereIsKnownUntilItIsRemoved) {
  RouteTable table;
  RouteEndpoint endpoint = At(":1024/other", "i1");
  endpoint.elsewhere = true;
  table.Change({1, 2}, {.added = {endpoint}});
  EXPECT_THAT(table.routes(), IsEmpty());
  EXPECT_THAT(table.DrainingInstances(), IsEmpty());
  table.Change({1, 3}, {.draining = {endpoint}});
  EXPECT_THAT(table.routes(), IsEmpty());
  EXPECT_THAT(table.DrainingInstances(), ElementsAre("i1"));
  table.Change({1, 4}, {.added = {At("a.example", "i1")}});
  EXPECT_THAT(table.DrainingInstances(), IsEmpty());
  table.Change({1, 5}, {.removed = {{RouteOf(":1024/other"), "i1"}, {RouteOf("a.example"), "i1"}}});
  EXPECT_THAT(table.DrainingInstances(), IsEmpty());
}

TEST(RouteTable, AGreaterEpochIsNewerWhateverItsNumber) {
  EXPECT_LT((RouteRevisionId{1, 900}), (RouteRevisionId{2, 1}));
  EXPECT_LT((RouteRevisionId{2, 1}), (RouteRevisionId{2, 2}));
}

}  // namespace
}  // namespace baton::router
