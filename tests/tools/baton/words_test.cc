#include "tools/baton/views/words.h"

#include <gtest/gtest.h>

#include "tools/baton/views/listing.h"
#include "tools/baton/views/table.h"

namespace baton::cli {
namespace {

TEST(CliWords, DurationsAreTheTwoGreatestUnits) {
  EXPECT_EQ(HumanDuration(0), "0s");
  EXPECT_EQ(HumanDuration(-5), "0s") << "clocks differ";
  EXPECT_EQ(HumanDuration(850), "850ms");
  EXPECT_EQ(HumanDuration(42'900), "42s");
  EXPECT_EQ(HumanDuration(192'000), "3m12s");
  EXPECT_EQ(HumanDuration(18'180'000), "5h3m");
  EXPECT_EQ(HumanDuration(12 * 86'400'000LL + 4 * 3'600'000LL), "12d4h");
}

TEST(CliWords, WhatAnAppWroteDoesNothingToATerminal) {
  EXPECT_EQ(OneLine("red \x1b[31m\nnext\t"), "red ?[31m / next?");
  EXPECT_EQ(Width("Zürich"), 6u);
}

TEST(CliWords, AGivenNameIsNotCut) {
  EXPECT_EQ(ShortDefinition(std::string(64, 'a')), std::string(12, 'a'));
  EXPECT_EQ(ShortDefinition("a-release-name-that-is-quite-long"), "a-release-name-that-is-quite-long");
}

TEST(CliTable, ColumnsAreAlignedByCharacterAndEmptyCellsAreADash) {
  EXPECT_EQ(Render(Table{{"APP", "ZONE", "X"}, {{"Zürich", "", "1"}, {"a", "b", "22"}}}),
            "APP     ZONE  X\n"
            "Zürich  -     1\n"
            "a       b     22\n");
}

TEST(CliTable, FactsKeepTheirLinesBelowEachOther) {
  EXPECT_EQ(Render({{"Name", "a"}, {"None", ""}, {"Content", "x: 1\ny: 2\n"}}, 2),
            "  Name:     a\n"
            "  Content:  x: 1\n"
            "            y: 2\n");
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
