// Which instances move where, with room as it is.
#include "orchestrator/placement/rebalance.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

CellOffer Cell(const std::string& id, const std::string& zone, std::int64_t memory_mb = 1000) {
  CellOffer cell;
  cell.id = CellId(id);
  cell.zone = zone;
  cell.stacks = {"s"};
  cell.free = {.memory_mb = memory_mb, .disk_mb = 1000, .pids = 0, .containers = 10};
  return cell;
}

Definition Needing(std::int64_t memory_mb) {
  Definition definition;
  definition.root_fs = "s";
  definition.resources.memory_mb = memory_mb;
  return definition;
}

std::vector<CellId> On(const std::string& ids) {
  std::vector<CellId> seats;
  for (const char id : ids) seats.emplace_back(std::string(1, id));
  return seats;
}

std::string Said(const Moves& moves) {
  std::string text;
  for (const Move& move : moves.moves) text += std::to_string(move.seat) + ">" + move.to.str() + " ";
  return text;
}

TEST(PlanMoves, ADifferenceOfOneIsEven) {
  EXPECT_EQ(Said(PlanMoves(Needing(10), On("aab"), {Cell("a", "z1"), Cell("b", "z2")}, 10)), "");
  EXPECT_EQ(Said(PlanMoves(Needing(10), On("aaab"), {Cell("a", "z1"), Cell("b", "z2")}, 10)), "2>b ");
}

TEST(PlanMoves, ZonesComeBeforeCells) {
  // Four cells of one zone have one each, and the cell of the other has one: zones differ by three.
  const std::vector<CellOffer> cells{Cell("a", "z1"), Cell("b", "z1"), Cell("c", "z1"), Cell("d", "z1"), Cell("e", "z2")};
  const Moves moves = PlanMoves(Needing(10), On("abcde"), cells, 10);
  ASSERT_EQ(moves.moves.size(), 1u);
  EXPECT_EQ(moves.moves[0].to, CellId("e"));
  EXPECT_EQ(moves.moves[0].why, "zone z1 has 4 of its instances, z2 has 1");
}

TEST(PlanMoves, CellsOfAZoneAreEvenedOutBesideEvenZones) {
  const std::vector<CellOffer> cells{Cell("a", "z1"), Cell("b", "z1"), Cell("c", "z2")};
  const Moves moves = PlanMoves(Needing(10), On("aacc"), cells, 10);
  EXPECT_EQ(Said(moves), "1>b ");
  EXPECT_EQ(moves.moves[0].why, "cell a has 2 of its instances, b has 0");
}

TEST(PlanMoves, ACellIsGivenNoMoreThanItHasRoomFor) {
  const Moves moves = PlanMoves(Needing(400), On("aaaaaa"), {Cell("a", "z1", 0), Cell("b", "z2", 500)}, 10);
  EXPECT_EQ(Said(moves), "5>b ");
  EXPECT_FALSE(moves.more);
}

TEST(PlanMoves, WhereNoneCanMoveItSaysWhy) {
  const Moves moves = PlanMoves(Needing(400), On("aaa"), {Cell("a", "z1"), Cell("b", "z2", 100)}, 10);
  EXPECT_EQ(Said(moves), "");
  EXPECT_EQ(moves.blocked, "b: needs 400 MB of memory, has 100");
}

TEST(PlanMoves, AnEvenAppIsNotBlocked) {
  EXPECT_EQ(PlanMoves(Needing(400), On("ab"), {Cell("a", "z1", 0), Cell("b", "z2", 0)}, 10).blocked, "");
}

TEST(PlanMoves, StopsAtTheMost) {
  const Moves moves = PlanMoves(Needing(10), On("aaaaaa"), {Cell("a", "z1"), Cell("b", "z2")}, 2);
  EXPECT_EQ(Said(moves), "5>b 4>b ");
  EXPECT_TRUE(moves.more);
}

}  // namespace
}  // namespace baton
