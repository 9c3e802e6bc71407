#include "orchestrator/access/cell_rules.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace baton {
namespace {

TEST(CellRules, ACellNamesItselfAlone) {
  const Identity cell{Role::kCell, "cell-7"};
  EXPECT_TRUE(MayName(cell, "cell-7"));
  EXPECT_TRUE(MayName(cell, "")) << "nobody is named";
  for (const char* other : {"cell-8", "cell-", "cell-77", "Cell-7", "cell-7 ", "cell/cell-7"}) EXPECT_FALSE(MayName(cell, other)) << other;
}

TEST(CellRules, WhoIsNoCellIsAskedByRoleAlone) {
  for (const Role role : {Role::kAdmin, Role::kOperator, Role::kRouter, Role::kViewer}) {
    EXPECT_TRUE(MayName({role, "cell-7"}, "cell-8"));
    EXPECT_EQ(FilterOf({role, "cell-7"}, ""), "");
    EXPECT_EQ(FilterOf({role, "cell-7"}, "cell-8"), "cell-8");
  }
}

TEST(CellRules, AnEmptyFilterOfACellIsItself) {
  EXPECT_EQ(FilterOf({Role::kCell, "cell-7"}, ""), "cell-7");
  EXPECT_EQ(FilterOf({Role::kCell, "cell-7"}, "cell-7"), "cell-7");
}

// The rules once more, as the reader of the design would say them: 0 means nobody's.
struct World {
  int row_cell = 0;
  int row_start = 0;
  LrpState state = LrpState::kUnclaimed;
  Presence presence = Presence::kOrdinary;
  int ordered_of = 0;
  bool pulls = false;
};

CellId CellNamed(int number) { return CellId(number == 0 ? "" : "cell-" + std::to_string(number)); }
InstanceGuid StartNamed(int number) { return InstanceGuid(number == 0 ? "" : "start-" + std::to_string(number)); }

World AnyWorld() {
  World world;
  world.state = *rc::gen::element(LrpState::kUnclaimed, LrpState::kClaimed, LrpState::kRunning, LrpState::kCrashed);
  world.presence =
      *rc::gen::element(Presence::kOrdinary, Presence::kSurge, Presence::kSuspect, Presence::kEvacuating, Presence::kRetiring);
  const bool runs = world.state == LrpState::kClaimed || world.state == LrpState::kRunning;
  world.row_cell = runs ? *rc::gen::inRange(1, 4) : 0;
  world.row_start = runs ? *rc::gen::inRange(1, 4) : 0;
  world.ordered_of = *rc::gen::inRange(0, 4);
  world.pulls = *rc::gen::arbitrary<bool>();
  return world;
}

RC_GTEST_PROP(CellRulesAny, AreThoseOfTheModel, ()) {
  const World world = AnyWorld();
  const int reporter = *rc::gen::inRange(1, 4);
  const int start = *rc::gen::inRange(1, 4);
  ActualLrp row;
  row.cell_id = CellNamed(world.row_cell);
  row.instance_guid = StartNamed(world.row_start);
  row.state = world.state;
  row.presence = world.presence;
  const CellStanding by{CellNamed(reporter), world.ordered_of == reporter, world.pulls};
  const bool mine = world.row_cell == reporter;
  const bool asked = world.ordered_of == reporter;
  const bool free = world.pulls && world.state == LrpState::kUnclaimed && world.presence != Presence::kRetiring;
  RC_ASSERT(MayClaim(row, StartNamed(start), by) == ((mine && world.row_start == start) || asked || free));
  RC_ASSERT(MayReject(row, by) == (mine || asked || free));
  RC_ASSERT(MayReadDefinitionOf(row, by) == (mine || asked || free));
}

TEST(CellRules, AnInstanceIsWhereItsCellIs) {
  NetInfo said;
  said.ports.push_back({.container_port = 8080, .host_port = 61001});
  CellPlace place{.addresses = {*IpAddress::From("10.0.0.7"), *IpAddress::From("127.0.0.1")}, .networks = {*IpNetwork::From("10.1.0.0/16")}};
  const auto may = [&](const char* address) {
    said.address = address;
    return CheckPlace(place, said).ok();
  };
  EXPECT_TRUE(may("10.0.0.7"));
  EXPECT_TRUE(may("10.1.2.3"));
  EXPECT_TRUE(may("::ffff:10.0.0.7")) << "the same address";
  for (const char* other : {"10.0.0.8", "10.2.0.1", "", "cell-7.example", "0.0.0.0", "127.0.0.1", "::1"}) EXPECT_FALSE(may(other)) << other;
  place.loopback = true;
  EXPECT_TRUE(may("127.0.0.1"));
  EXPECT_FALSE(may("127.0.0.2"));
  EXPECT_FALSE(may("::1"));
  place.networks.clear();
  place.addresses.clear();
  EXPECT_FALSE(may("10.0.0.7")) << "it was given nothing";
}

// A hostile cell named the metadata service of its cloud there, and baton.v1 gave it on with the word that it is preferred.
TEST(CellRules, WhatBatonV1GivesOnIsWhereItsCellIs) {
  const CellPlace place{.addresses = {*IpAddress::From("10.0.0.7"), *IpAddress::From("fd00::7")}, .networks = {*IpNetwork::From("10.255.0.0/16")}};
  for (std::string NetInfo::*field : {&NetInfo::instance_address, &NetInfo::instance_ipv6_address}) {
    for (const auto& [text, fine] : {std::pair("", true), std::pair("10.255.3.4", true), std::pair("fd00::7", true),
                                     std::pair("169.254.169.254", false), std::pair("fd00::dead", false), std::pair("metadata", false)}) {
      NetInfo said{.address = "10.0.0.7"};
      said.*field = text;
      EXPECT_EQ(CheckPlace(place, said).ok(), fine) << text;
    }
  }
}

TEST(CellRules, PortsAreThoseThatTheCellRegisteredWith) {
  CellPlace place{.anywhere = true, .ports = PortSpan{61000, 61010}};
  for (const auto& [port, fine] : {std::pair(60999U, false), std::pair(61000U, true), std::pair(61010U, true), std::pair(61011U, false)}) {
    NetInfo said;
    said.address = "somewhere.example";
    said.ports.push_back({.container_port = 8080, .host_port = port});
    EXPECT_EQ(CheckPlace(place, said).ok(), fine) << port;
  }
}

TEST(CellRules, PortsOfTheMachineAreNoInstances) {
  const CellPlace place{.addresses = {*IpAddress::From("10.0.0.7")}};
  for (const auto& [port, fine] : {std::pair(1023U, false), std::pair(22U, false), std::pair(1024U, true), std::pair(65535U, true)}) {
    NetInfo said;
    said.address = "10.0.0.7";
    said.ports.push_back({.container_port = 8080, .host_port = port});
    EXPECT_EQ(CheckPlace(place, said).ok(), fine) << port;
    said.ports = {{.container_port = 8080, .host_port = 2000, .container_tls_proxy_port = 1, .host_tls_proxy_port = port}};
    EXPECT_EQ(CheckPlace(place, said).ok(), fine) << port;
  }
}

}  // namespace
}  // namespace baton
