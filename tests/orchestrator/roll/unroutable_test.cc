// A route that the active definition leads nowhere is named, whether a roll is open or not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "orchestrator/roll/reason.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// v1 has the ports 8080 and 2222; v2, which an app rolls to, has 9090 in place of the first.
AppMaker TwoPorts(int instances) {
  AppMaker maker = AppMaker::Settled(instances);
  for (auto& [key, definition] : maker.app.definitions) {
    definition.ports = {key.id == DefinitionId("v1") ? 8080U : 9090U, 2222U};
  }
  maker.app.desired->routes.mapped = {{RouteNamed("shop.example"), 8080}};
  return maker;
}

std::string Unroutable(AppMaker& maker) {
  const Plan plan = maker.PlanNow();
  const auto said = std::ranges::find(plan.reasons, rule::kUnroutable, &Reason::rule);
  return said == plan.reasons.end() ? "" : said->text + "; " + said->unblocks;
}

TEST(Unroutable, NothingIsSaidWhereEveryRouteLeadsSomewhere) {
  AppMaker maker = TwoPorts(2);
  EXPECT_EQ(Unroutable(maker), "");
}

TEST(Unroutable, TheRouteAndTheDefinitionAreNamed) {
  AppMaker maker = TwoPorts(2);
  maker.app.desired->routes.mapped.push_back({RouteNamed("admin.example/x"), 7070});
  EXPECT_EQ(Unroutable(maker),
            "v1 has no port for admin.example/x (0 of 2 slots serve it); it is mapped to a port of v1, or unmapped");
}

TEST(Unroutable, OfARollTheSlotsThatStillServeTheRouteAreCounted) {
  AppMaker maker = TwoPorts(2);
  maker.OpenRoll();
  maker.app.desired->active = DefinitionId("v2");
  EXPECT_THAT(Unroutable(maker), HasSubstr("v2 has no port for shop.example (2 of 2 slots serve it)"));
}

TEST(Unroutable, OfManyRoutesTheFirstAreNamed) {
  AppMaker maker = TwoPorts(1);
  for (int i = 0; i < 1000; ++i) {
    maker.app.desired->routes.mapped.push_back({RouteNamed("r" + std::to_string(i) + ".example"), 7070});
  }
  EXPECT_THAT(Unroutable(maker),
              AllOf(HasSubstr("r0.example"), HasSubstr("r2.example"), Not(HasSubstr("r3.example")),
                    HasSubstr("and 997 more"), HasSubstr("each is mapped")));
}

TEST(Unroutable, AnAppWithoutInstancesServesNoRouteAnyway) {
  AppMaker maker = TwoPorts(1);
  maker.app.desired->routes.mapped.push_back({RouteNamed("admin.example"), 7070});
  maker.app.desired->instances = 0;
  EXPECT_EQ(Unroutable(maker), "");
}

}  // namespace
}  // namespace baton
