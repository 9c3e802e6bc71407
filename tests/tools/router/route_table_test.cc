#include "tools/router/route_table.h"

#include <gmock/gmock.h>

namespace baton {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RouteEndpoint At(std::string hostname, std::string actual_id, std::uint32_t port = 80, bool draining = false) {
  return {.hostname = std::move(hostname),
          .actual_id = std::move(actual_id),
          .address = "10.0.0.1",
          .port = port,
          .draining = draining};
}

TEST(RouteTable, ASnapshotReplacesEverything) {
  RouteTable table;
  table.Replace({1, 5}, {At("a.example", "i1"), At("b.example", "i2")});
  table.Replace({2, 1}, {At("a.example", "i3")});
  EXPECT_EQ(table.hosts().size(), 1u);
  EXPECT_EQ(table.hosts().at("a.example").size(), 1u);
  EXPECT_EQ(table.revision(), (RouteRevisionId{2, 1}));
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
  EXPECT_EQ(table.hosts().at("a.example").at("i1").port, 81u);
}

TEST(RouteTable, ADrainingEndpointThatIsAddedAgainServes) {
  RouteTable table;
  table.Replace({1, 1}, {At("a.example", "i1", 80, true)});
  table.Change({1, 2}, {.added = {At("a.example", "i1")}});
  EXPECT_THAT(table.DrainingInstances(), IsEmpty());
}

TEST(RouteTable, AHostNameGoesWithItsLastEndpoint) {
  RouteTable table;
  table.Replace({1, 1}, {At("a.example", "i1"), At("a.example", "i2")});
  table.Change({1, 2}, {.removed = {{"a.example", "i1"}, {"a.example", "unknown"}, {"unknown", "i1"}}});
  EXPECT_EQ(table.hosts().size(), 1u);
  table.Change({1, 3}, {.removed = {{"a.example", "i2"}}});
  EXPECT_EQ(table.hosts().size(), 0u);
}

TEST(RouteTable, AnInstanceDrainsOnlyWhenItDrainsInAllItsHostNames) {
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

TEST(RouteTable, AGreaterEpochIsNewerWhateverItsNumber) {
  EXPECT_LT((RouteRevisionId{1, 900}), (RouteRevisionId{2, 1}));
  EXPECT_LT((RouteRevisionId{2, 1}), (RouteRevisionId{2, 2}));
}

}  // namespace
}  // namespace baton
