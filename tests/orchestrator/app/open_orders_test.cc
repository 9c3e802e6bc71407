#include "orchestrator/app/cells/open_orders.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

// Its stream ended, or its time was over; the claim may be under way all the same.
TEST(OpenOrders, OneThatNobodyWaitsForHoldsUntilAnotherCellIsAsked) {
  OpenOrders orders;
  const OpenOrders::Steady::time_point now;
  const ActualId id("i");
  orders.Add(id, CellId("a"), now);
  orders.Leave(id, now);
  EXPECT_TRUE(orders.IsOf(id, CellId("a")));
  EXPECT_FALSE(orders.IsOf(id, CellId("b")));
  orders.Add(id, CellId("b"), now);
  EXPECT_FALSE(orders.IsOf(id, CellId("a")));
  EXPECT_TRUE(orders.IsOf(id, CellId("b")));
  orders.Drop(id);
  EXPECT_FALSE(orders.IsOf(id, CellId("b")));
  orders.Leave(id, now);
  EXPECT_FALSE(orders.IsOf(id, CellId("b"))) << "what is not there cannot be left";
}

// Each order looked at all others for those that are late: of a batch of 20,000 first starts that was most of batond's CPU.
TEST(OpenOrders, OneThatWasLeftIsForgottenFiveMinutesLaterUnlessItWasAskedForAgain) {
  OpenOrders orders;
  const CellId cell("a");
  const OpenOrders::Steady::time_point began;
  const auto later = began + std::chrono::minutes(1);
  for (const char* id : {"waits", "left", "again", "left again"}) orders.Add(ActualId(id), cell, began);
  for (const char* id : {"left", "again", "left again"}) orders.Leave(ActualId(id), began);
  for (const char* id : {"again", "left again"}) orders.Add(ActualId(id), cell, later);
  orders.Leave(ActualId("left again"), later);
  const auto are_there = [&] {
    std::string there;
    for (const char* id : {"waits", "left", "again", "left again"}) {
      if (orders.IsOf(ActualId(id), cell)) there += std::string(id) + "; ";
    }
    return there;
  };
  orders.Add(ActualId("1"), cell, began + OpenOrders::kLateMax);
  EXPECT_EQ(are_there(), "waits; left; again; left again; ");
  orders.Add(ActualId("2"), cell, began + OpenOrders::kLateMax + std::chrono::seconds(1));
  EXPECT_EQ(are_there(), "waits; again; left again; ");
  orders.Add(ActualId("3"), cell, later + OpenOrders::kLateMax + std::chrono::seconds(1));
  EXPECT_EQ(are_there(), "waits; again; ");
}

}  // namespace
}  // namespace baton
