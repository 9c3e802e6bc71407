#include "tools/baton/views/words.h"

#include <gtest/gtest.h>

#include "tools/baton/views/listing.h"

namespace baton::cli {
namespace {

TEST(CliWords, AGivenNameIsNotCut) {
  EXPECT_EQ(ShortDefinition(std::string(64, 'a')), std::string(12, 'a'));
  EXPECT_EQ(ShortDefinition("a-release-name-that-is-quite-long"), "a-release-name-that-is-quite-long");
}

// What retires and what has no cell does not count; a cell's zone is known from any instance of it that says so.
TEST(Words, RoutesAreNamesAndPortsAndOtherRoutersAreNamed) {
  v1::ProtoRoutes routes;
  auto& by_router = *routes.mutable_routes();
  by_router["cf-router"] = R"([{"hostnames":["a.example","b.example/api"],"port":8080},7])";
  by_router["tcp-router"] = R"([{"external_port":1024,"container_port":9000}])";
  by_router["x"] = "\xff";
  EXPECT_EQ(RouteWords(routes), "a.example:8080, b.example/api:8080, 7, tcp:1024:9000, x");
  EXPECT_EQ(RouteWords({}), "");
}

TEST(Words, AnAppsSpreadIsByZoneAndCell) {
  v2::ListActualLRPsResponse instances;
  const auto add = [&](const std::string& app, const std::string& cell, const std::string& zone, v2::Presence presence) {
    v2::ActualLRP& lrp = *instances.add_actual_lrps();
    lrp.set_process_guid(app);
    lrp.mutable_instance_key()->set_cell_id(cell);
    lrp.set_availability_zone(zone);
    lrp.set_presence(presence);
  };
  add("app", "cell-1", "z1", v2::ORDINARY);
  add("app", "cell-1", "", v2::SURGE);
  add("app", "cell-2", "", v2::ORDINARY);
  add("other", "cell-2", "z1", v2::ORDINARY);
  add("app", "cell-3", "z2", v2::ORDINARY);
  add("app", "cell-3", "z2", v2::RETIRING);
  add("app", "", "", v2::ORDINARY);
  add("app", "cell-4", "", v2::ORDINARY);
  EXPECT_EQ(SpreadWords(instances, "app"), "-: cell-4 1; z1: cell-1 2, cell-2 1; z2: cell-3 1");
  EXPECT_EQ(SpreadWords(instances, "none"), "");
}

}  // namespace
}  // namespace baton::cli
