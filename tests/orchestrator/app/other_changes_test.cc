// What an update changes beside the wish and its definition, as a plan names it.
#include "orchestrator/app/apps/other_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/model/names.h"
#include "tests/orchestrator/roll/app_maker.h"

namespace baton {

void PrintTo(const OtherChange& change, std::ostream* out) {
  *out << change.name << ": '" << change.before << "' -> '" << change.after << "'";
}
bool operator==(const OtherChange& a, const OtherChange& b) {
  return a.name == b.name && a.before == b.before && a.after == b.after;
}

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class OtherChangesTest : public ::testing::Test {
 protected:
  OtherChangesTest() : before(AppMaker::Settled(2).app), after(before) {
    for (AppState* app : {&before, &after}) {
      app->desired->routes.mapped = {{RouteNamed("shop.example"), 8080}};
      Active(*app).ports = {9090, 2222};  // the route was mapped to the one before it
    }
  }
  static Definition& Active(AppState& app) { return app.definitions.at({app.desired->incarnation, app.desired->active}); }

  AppState before, after;
};

TEST_F(OtherChangesTest, AreNoneWhereNothingOfTheKindChanges) {
  after.desired->instances = 7;
  EXPECT_THAT(OtherChanges(before, after), IsEmpty());
}

TEST_F(OtherChangesTest, AnAliasIsNamedWithTheRouteThatItLeadsElsewhere) {
  Active(after).port_aliases = {{8080, 9090}};
  EXPECT_THAT(OtherChanges(before, after), ElementsAre(OtherChange{"port_aliases.8080", "", "9090"},
                                                       OtherChange{"route_ports.shop.example", "", "9090"}));
  EXPECT_THAT(OtherChanges(after, before), ElementsAre(OtherChange{"port_aliases.8080", "9090", ""},
                                                       OtherChange{"route_ports.shop.example", "9090", ""}));
}

TEST_F(OtherChangesTest, ARollThatIsTriedAgainIsNamedAndAnotherOneIsNot) {
  before.roll.emplace();
  before.roll->id = RollId("r1");
  before.roll->state = RollState::kHeld;
  after.roll = before.roll;
  after.roll->state = RollState::kRolling;
  EXPECT_THAT(OtherChanges(before, after), ElementsAre(OtherChange{"roll.state", std::string(Name(RollState::kHeld)),
                                                                   std::string(Name(RollState::kRolling))}));
  after.roll->id = RollId("r2");
  EXPECT_THAT(OtherChanges(before, after), IsEmpty());
}

TEST_F(OtherChangesTest, OfAnAppThatIsNewOrGoneThereIsNothingToCompare) {
  AppState none;
  EXPECT_THAT(OtherChanges(none, before), IsEmpty());
  EXPECT_THAT(OtherChanges(before, none), IsEmpty());
}

}  // namespace
}  // namespace baton
