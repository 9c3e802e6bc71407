#include "orchestrator/routing/route_loads.h"

#include <gmock/gmock.h>

namespace baton {
namespace {

using std::chrono::seconds;

const ConsumerId kOne("one");
const ConsumerId kTwo("two");
const ActualId kInstance("i1");
constexpr RouteLoads::Time kNow{std::chrono::hours(1)};

TEST(RouteLoads, WhatRoutersSayIsSummedAndABusyOneCounted) {
  RouteLoads loads;
  loads.Take(kOne, {{kInstance, {3, 1.5}}}, kNow);
  loads.Take(kTwo, {{kInstance, {0, 2.0}}, {ActualId("i2"), {7, {}}}}, kNow);
  EXPECT_EQ(loads.Of(kInstance, kNow), (RouteLoads::Sum{.load = {3, 3.5}, .routers = 2, .busy = 1}));
  EXPECT_EQ(loads.Of(ActualId("i2"), kNow), (RouteLoads::Sum{.load = {7, std::nullopt}, .routers = 1, .busy = 1}));
}

TEST(RouteLoads, NobodyHasSaidAnythingOfIt) {
  RouteLoads loads;
  EXPECT_EQ(loads.Of(kInstance, kNow), std::nullopt);
  loads.Take(kOne, {{kInstance, {3, 1.5}}}, kNow);
  loads.Take(kOne, {}, kNow);
  EXPECT_EQ(loads.Of(kInstance, kNow), std::nullopt) << "a router says all that it knows each time";
  loads.Take(kOne, {{kInstance, {3, 1.5}}}, kNow);
  loads.Forget(kOne);
  EXPECT_EQ(loads.Of(kInstance, kNow), std::nullopt);
}

TEST(RouteLoads, WhatIsOldIsNotShown) {
  RouteLoads loads;
  loads.Take(kOne, {{kInstance, {3, 1.5}}}, kNow);
  EXPECT_TRUE(loads.Of(kInstance, kNow + RouteLoads::kKept));
  EXPECT_FALSE(loads.Of(kInstance, kNow + RouteLoads::kKept + seconds(1)));
}

}  // namespace
}  // namespace baton
