// Which definition's "it may lead nowhere" lets an instance go that serves the route.
#include "orchestrator/roll/rules/route_floor.h"

#include <gtest/gtest.h>

#include "orchestrator/roll/transition.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

const Route kRouteOfShop = RouteNamed("shop.example");

// The roll goes from v1, in which the route was accepted as unroutable, to v2, which serves it. Slot 0 has a ready
// instance of each: that of v2 has to go, and the restart rule has put one of v1 beside it.
AppMaker BackToTheSource() {
  AppMaker maker = AppMaker::Settled(2);
  maker.app.desired->routes.mapped = {{kRouteOfShop, 8080}};
  maker.app.desired->routes.bindings[DefinitionId("v1")][kRouteOfShop] = {.accepted = true};
  maker.app.desired->routes.bindings[DefinitionId("v2")][kRouteOfShop] = {.port = 8080};
  maker.app.desired->active = DefinitionId("v2");
  maker.Of(1, Presence::kOrdinary)->definition = DefinitionId("v2");
  AppMaker::Start(maker.Add(0, Presence::kEvacuating, "v2"), maker.moment.now - seconds(20));
  maker.OpenRoll();
  return maker;
}

TEST(RouteFloor, WhatWasAcceptedOfTheSourceIsNotMeantWhereTheRollGoesElsewhere) {
  AppMaker maker = BackToTheSource();
  EXPECT_TRUE(maker.Explains(maker.PlanNow(), rule::kRoute));
  EXPECT_NE(maker.Of(0, Presence::kEvacuating), nullptr) << "the route would have one slot of two";
}

TEST(RouteFloor, ItIsMeantWhereTheRollGoesBackToTheSource) {
  AppMaker maker = BackToTheSource();
  AppEdit edit(maker.app, maker.moment, "test");
  ASSERT_TRUE(ApplyRollEvent(edit, RollEvent::kCancel, "the test"));
  (void)edit.Finish();
  maker.PlanNow();
  EXPECT_EQ(maker.Of(0, Presence::kEvacuating), nullptr);
}

}  // namespace
}  // namespace baton
