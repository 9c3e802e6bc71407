// The fleet: what is particular to it; that it decides as the rule does is a property (tests/properties).
#include "orchestrator/placement/fleet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/placement/hold_off.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

const ProcessGuid kFleetApp("app");

CellOffer FleetCell(const std::string& id) {
  CellOffer cell;
  cell.id = CellId(id);
  cell.zone = "z" + id;
  cell.stacks = {"host:"};
  cell.abilities = {"run"};
  return cell;
}

Definition Wants(std::int64_t memory_mb) {
  Definition definition;
  definition.content_hash = "h";
  definition.root_fs = "host:any";
  definition.resources = {.memory_mb = memory_mb, .disk_mb = 0, .pids = 0, .containers = 1};
  definition.needs = {"run"};
  return definition;
}

class FleetTest : public ::testing::Test {
 protected:
  FleetTest() {
    for (const char* id : {"a", "b"})
      fleet.Set(FleetCell(id), {.memory_mb = 100, .disk_mb = 0, .pids = 0, .containers = 10});
  }
  std::string Place(std::int64_t memory_mb, const Fleet::Refused& refused = {}) {
    const Placement placement = fleet.Place(Wants(memory_mb), kFleetApp, CellId(), refused);
    return placement.cell ? placement.cell->str() : placement.error;
  }
  Fleet fleet;
};

TEST_F(FleetTest, ACellThatRefusedAnInstanceIsNotAskedAgain) {
  EXPECT_EQ(Place(10), "a");
  EXPECT_EQ(Place(10, {{CellId("a"), "no"}}), "b");
  EXPECT_EQ(Place(10, {{CellId("a"), "no"}, {CellId("b"), "nor here"}}), "a: refused: no; b: refused: nor here");
}

TEST_F(FleetTest, WhatIsHeldTwiceCountsOnceAndIsGivenBackOnce) {
  for (int i = 0; i < 2; ++i) fleet.Hold(CellId("a"), ActualId("1"), kFleetApp, {.memory_mb = 60, .containers = 1});
  EXPECT_EQ(fleet.Free(CellId("a")).memory_mb, 40);
  for (int i = 0; i < 2; ++i) fleet.Release(CellId("a"), ActualId("1"));
  EXPECT_EQ(fleet.Free(CellId("a")).memory_mb, 100);
}

TEST_F(FleetTest, WhatACellSaysOfItselfTakesRoomAndMakesNothingItsOwn) {
  fleet.Hold(CellId("a"), ActualId("1"), ProcessGuid("says"), {.memory_mb = 60, .containers = 1}, 0, Fleet::Word::kCells);
  EXPECT_EQ(fleet.HolderOf(CellId("a"), ActualId("1")), nullptr);
  EXPECT_EQ(fleet.Free(CellId("a")).memory_mb, 40);
  EXPECT_TRUE(fleet.Confirm(CellId("a"), ActualId("1"), kFleetApp));
  ASSERT_NE(fleet.HolderOf(CellId("a"), ActualId("1")), nullptr);
  EXPECT_EQ(*fleet.HolderOf(CellId("a"), ActualId("1")), kFleetApp);
  EXPECT_EQ(fleet.Free(CellId("a")).memory_mb, 40);
  EXPECT_FALSE(fleet.Confirm(CellId("a"), ActualId("2"), kFleetApp));
}

TEST_F(FleetTest, AnAuditNamesWhatWasHeldBeforeItAndNotSeenSince) {
  const CellId a("a");
  const auto hold = [&](const char* id, Fleet::Word word = Fleet::Word::kOurs) {
    fleet.Hold(a, ActualId(id), kFleetApp, {.memory_mb = 1, .containers = 1}, 0, word);
  };
  hold("seen");
  hold("lost");
  hold("said", Fleet::Word::kCells);
  EXPECT_TRUE(fleet.UnseenOf(a).empty()) << "before any audit";
  fleet.BeginAudit();
  hold("later");
  EXPECT_TRUE(fleet.See(a, ActualId("seen")));
  EXPECT_FALSE(fleet.See(a, ActualId("said")));
  EXPECT_FALSE(fleet.See(a, ActualId("unknown")));
  EXPECT_FALSE(fleet.See(CellId("never-seen"), ActualId("seen")));
  const auto unseen = fleet.UnseenOf(a);
  ASSERT_EQ(unseen.size(), 1U);
  EXPECT_EQ(unseen[0].cell, a);
  EXPECT_EQ(unseen[0].id, ActualId("lost"));
  EXPECT_EQ(unseen[0].guid, kFleetApp);
  fleet.BeginAudit();
  EXPECT_EQ(fleet.UnseenOf(a).size(), 3U) << "another one";
  EXPECT_TRUE(fleet.UnseenOf(CellId("b")).empty());
  EXPECT_TRUE(fleet.UnseenOf(CellId("never-seen")).empty());
}

TEST_F(FleetTest, ACellThatIsNotKnownHoldsNothing) {
  fleet.ReleaseAll(CellId("never-seen"));
  fleet.Release(CellId("never-seen"), ActualId("x"));
  EXPECT_EQ(fleet.HolderOf(CellId("never-seen"), ActualId("x")), nullptr);
}

TEST_F(FleetTest, AClosedCellIsAskedNothingAndKeepsWhatItHolds) {
  fleet.Hold(CellId("a"), ActualId("1"), kFleetApp, {.memory_mb = 60, .containers = 1});
  fleet.Close(CellId("a"));
  EXPECT_EQ(Place(10), "b");
  fleet.Set(FleetCell("a"), {.memory_mb = 100, .disk_mb = 0, .pids = 0, .containers = 10});
  EXPECT_EQ(fleet.Free(CellId("a")).memory_mb, 40);
}

TEST_F(FleetTest, HostPortsAreCountedWhereTheCellSaysHowManyItHas) {
  Definition two = Wants(1);
  two.content_hash = "two";
  two.ports = {8080, 2222};
  CellOffer a = FleetCell("a"), b = FleetCell("b");
  a.host_ports = 3;
  b.host_ports = 1;
  for (const CellOffer& cell : {a, b}) fleet.Set(cell, {.memory_mb = 100, .containers = 10});
  EXPECT_EQ(fleet.Place(two, kFleetApp, CellId(), {}).cell, CellId("a"));
  fleet.Hold(CellId("a"), ActualId("1"), ProcessGuid("other"), {.memory_mb = 1, .containers = 1}, 2);
  EXPECT_EQ(fleet.Place(two, kFleetApp, CellId(), {}).error,
            "a: needs 2 host ports, has 1; b: needs 2 host ports, has 1");
  fleet.Release(CellId("a"), ActualId("1"));
  EXPECT_EQ(fleet.Place(two, kFleetApp, CellId(), {}).cell, CellId("a"));
}

TEST_F(FleetTest, WhatIsAboutToGoTakesNoPartInTheSpread) {
  for (int i = 0; i < 2; ++i)
    fleet.Hold(CellId("a"), ActualId(std::to_string(i)), kFleetApp, {.memory_mb = 1, .containers = 1});
  fleet.Hold(CellId("b"), ActualId("2"), kFleetApp, {.memory_mb = 1, .containers = 1});
  EXPECT_EQ(fleet.Place(Wants(1), kFleetApp, CellId(), {}).cell, CellId("b"));
  EXPECT_EQ(fleet.Place(Wants(1), kFleetApp, CellId(), {}, {{CellId("a"), 2}}).cell, CellId("a"));
  EXPECT_EQ(fleet.Offers(kFleetApp, {}, {{CellId("a"), 2}})[0].instances_of_app, 0);
}

TEST_F(FleetTest, ErrorsHaveTheNumbersOfEachCellAndStayShort) {
  EXPECT_EQ(Place(200), "a: needs 200 MB of memory, has 100; b: needs 200 MB of memory, has 100");
  for (int i = 0; i < 1000; ++i) fleet.Set(FleetCell("cell-" + std::to_string(i)), {});
  const std::string error = Place(200);
  EXPECT_LT(error.size(), 1024u);
  EXPECT_THAT(error, HasSubstr(" more cells"));
}

TEST_F(FleetTest, AVolumeDriverIsAskedForByName) {
  Definition definition = Wants(10);
  definition.content_hash = "other";
  definition.needs = {"run", "volume_driver.nfs"};
  EXPECT_THAT(fleet.Place(definition, kFleetApp, CellId(), {}).error, HasSubstr("a: cannot enact volume_driver.nfs"));
  CellOffer able = FleetCell("c");
  able.abilities.push_back("volume_driver.nfs");
  fleet.Set(able, {.memory_mb = 100, .disk_mb = 0, .pids = 0, .containers = 10});
  EXPECT_EQ(fleet.Place(definition, kFleetApp, CellId(), {}).cell, CellId("c"));
}

TEST(HoldOffTest, TheFirstLossCostsNothingAndFurtherOnesTwiceAsMuchEach) {
  EXPECT_EQ(HoldOff(0), Duration(0));
  EXPECT_EQ(HoldOff(1), Duration(0));
  EXPECT_EQ(HoldOff(2), seconds(10));
  EXPECT_EQ(HoldOff(4), seconds(40));
  EXPECT_EQ(HoldOff(1000), std::chrono::minutes(5));
}

}  // namespace
}  // namespace baton
