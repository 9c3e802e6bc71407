// Which apps `admin rebalance` asks about.
#include "tools/baton/admin/uneven.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Uneven : public ::testing::Test {
 protected:
  v2::Cell& Cell(const std::string& id, const std::string& zone) {
    v2::Cell& cell = *cells_.add_cells();
    cell.set_cell_id(id);
    cell.set_zone(zone);
    cell.set_connected(true);
    return cell;
  }
  void Run(const std::string& app, const std::string& cell, int count) {
    for (int i = 0; i < count; ++i) {
      v2::ActualLRP& lrp = *instances_.add_actual_lrps();
      lrp.set_process_guid(app);
      lrp.mutable_instance_key()->set_cell_id(cell);
    }
  }
  v2::ListActualLRPsResponse instances_;
  v2::ListCellsResponse cells_;
};

TEST_F(Uneven, TheMostUnevenComesFirst) {
  Cell("a", "z1"), Cell("b", "z2");
  Run("even", "a", 3), Run("even", "b", 2);
  Run("some", "a", 3), Run("some", "b", 1);
  Run("most", "a", 5);
  EXPECT_THAT(UnevenApps(instances_, cells_), ElementsAre("most", "some"));
}

TEST_F(Uneven, CellsOfOneZoneCount) {
  Cell("a", "z1"), Cell("b", "z1");
  Run("app", "a", 2);
  EXPECT_THAT(UnevenApps(instances_, cells_), ElementsAre("app"));
}

TEST_F(Uneven, WhereNothingCanGoNothingIsUneven) {
  Cell("a", "z1"), Cell("b", "z1").set_draining(true), Cell("c", "z2").set_connected(false);
  Run("app", "a", 3);
  EXPECT_THAT(UnevenApps(instances_, cells_), IsEmpty());
}

TEST_F(Uneven, WhatRetiresIsNoneOfThem) {
  Cell("a", "z1"), Cell("b", "z1");
  Run("app", "a", 2);
  instances_.mutable_actual_lrps(0)->set_presence(v2::RETIRING);
  EXPECT_THAT(UnevenApps(instances_, cells_), IsEmpty());
}

}  // namespace
}  // namespace baton::cli
