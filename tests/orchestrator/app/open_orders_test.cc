#include "orchestrator/app/cells/open_orders.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

// Its stream ended, or its time was over; the claim may be under way all the same.
TEST(OpenOrders, OneThatNobodyWaitsForHoldsUntilAnotherCellIsAsked) {
  OpenOrders orders;
  const ActualId id("i");
  orders.Add(id, CellId("a"));
  orders.Leave(id);
  EXPECT_TRUE(orders.IsOf(id, CellId("a")));
  EXPECT_FALSE(orders.IsOf(id, CellId("b")));
  orders.Add(id, CellId("b"));
  EXPECT_FALSE(orders.IsOf(id, CellId("a")));
  EXPECT_TRUE(orders.IsOf(id, CellId("b")));
  orders.Drop(id);
  EXPECT_FALSE(orders.IsOf(id, CellId("b")));
  orders.Leave(id);
  EXPECT_FALSE(orders.IsOf(id, CellId("b"))) << "what is not there cannot be left";
}

}  // namespace
}  // namespace baton
