#include "orchestrator/access/cell_rules.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace baton
