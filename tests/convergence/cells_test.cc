// Silent cells: which are taken for lost, and which are waited out.
#include "convergence/cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const TimePoint kCellsNow(std::chrono::hours(1000));
const LossLimits kLimits{.cells_percent = 50, .instances_max = 100, .wait_out = std::chrono::minutes(2)};

CellRecord Present(const std::string& id) {
  CellRecord cell;
  cell.id = CellId(id);
  cell.lease_expires_at = kCellsNow + seconds(5);
  return cell;
}
CellRecord Silent(const std::string& id, seconds since = seconds(1), int instances = 10) {
  CellRecord cell = Present(id);
  cell.lease_expires_at = kCellsNow - since;
  cell.instances = instances;
  return cell;
}
CellRecord Missing(const std::string& id, seconds since) {
  CellRecord cell = Silent(id, since + seconds(10));
  cell.missing_since = kCellsNow - since;
  return cell;
}

std::vector<std::string> Lost(const std::vector<CellRecord>& cells, const LossLimits& limits = kLimits) {
  std::vector<std::string> lost;
  for (const CellId& id : JudgeCells(cells, kCellsNow, limits).missing) lost.push_back(id.str());
  return lost;
}

TEST(SilentCells, OneAmongOthersIsLost) { EXPECT_THAT(Lost({Present("a"), Silent("b")}), ElementsAre("b")); }

TEST(SilentCells, ALeaseThatRunsIsEnough) {
  EXPECT_THAT(Lost({Present("a"), Present("b")}), IsEmpty());
  // Where all are silent none is lost, but each is waited out.
  EXPECT_THAT(JudgeCells({Present("a"), Present("b")}, kCellsNow, kLimits).waited_out, IsEmpty());
}

TEST(SilentCells, NoneIsLostWhereAllAre) {
  EXPECT_THAT(Lost({Silent("a", seconds(3600)), Silent("b", seconds(3600))}), IsEmpty());
  EXPECT_THAT(JudgeCells({Silent("a")}, kCellsNow, kLimits).waited_out[0].why, HasSubstr("no cell is present"));
}

TEST(SilentCells, MoreThanTheShareIsWaitedOutTheLongestSilentFirst) {
  const std::vector<CellRecord> cells = {Silent("a"), Silent("b", seconds(9)), Silent("c", seconds(5)), Present("d")};
  EXPECT_THAT(Lost(cells), ElementsAre("b", "c"));
  const auto waited = JudgeCells(cells, kCellsNow, kLimits).waited_out;
  ASSERT_EQ(waited.size(), 1u);
  EXPECT_EQ(waited[0].cell.str(), "a");
  EXPECT_EQ(waited[0].until, kCellsNow - seconds(1) + kLimits.wait_out);
}

TEST(SilentCells, ThoseThatWereLostLatelyCountOnesFromLongAgoDoNot) {
  EXPECT_THAT(Lost({Missing("a", seconds(30)), Silent("b"), Present("c")}), IsEmpty());
  EXPECT_THAT(Lost({Missing("a", seconds(600)), Silent("b"), Present("c")}), ElementsAre("b"));
}

TEST(SilentCells, WhatIsWaitedOutIsLostInTheEnd) {
  EXPECT_THAT(Lost({Silent("a", seconds(121)), Silent("b", seconds(121)), Present("c")}), ElementsAre("a", "b"));
}

TEST(SilentCells, OnePassGivesUpNoMoreInstancesThanItMay) {
  EXPECT_THAT(Lost({Silent("a", seconds(9), 90), Silent("b", seconds(8), 20), Present("c"), Present("d")}),
              ElementsAre("a"));
  EXPECT_THAT(Lost({Silent("a", seconds(9), 500), Present("b")}), ElementsAre("a")) << "one cell always";
}

}  // namespace
}  // namespace baton
