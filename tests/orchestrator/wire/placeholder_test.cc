#include "orchestrator/wire/stored/placeholder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/wire/messages/definition.h"

namespace baton::wire {
namespace {

const DefinitionKey kLost{1, DefinitionId("lost")};
const DefinitionKey kAlsoLost{1, DefinitionId("also-lost")};

class PlaceholderTest : public ::testing::Test {
 protected:
  PlaceholderTest() {
    app_.guid = ProcessGuid("app");
    app_.desired = DesiredLrp{.incarnation = 1};
    app_.desired->active = app_.desired->healthy = kLost.id;
  }
  ActualLrp& Add(const std::string& id, LrpState state, const DefinitionKey& of) {
    ActualLrp lrp;
    lrp.id = ActualId(id);
    lrp.incarnation = of.incarnation;
    lrp.definition = of.id;
    lrp.state = state;
    return app_.actuals.emplace(lrp.id, lrp).first->second;
  }

  AppState app_;
  Moment moment_;
};

TEST_F(PlaceholderTest, HasThePortsOfWhatRunsAndIsAsHashedAsEveryOther) {
  Add("runs", LrpState::kRunning, kLost).net_info.ports = {{9090, 61001}, {8080, 61000}};
  AppEdit edit(app_, moment_, "test");
  AddPlaceholders(edit, {kLost, kAlsoLost});
  const Definition& definition = app_.definitions.at(kLost);
  EXPECT_THAT(definition.ports, ::testing::ElementsAre(8080, 9090));
  EXPECT_NE(definition.content_hash, app_.definitions.at(kAlsoLost).content_hash) << "they are two";
  EXPECT_EQ(app_.desired->healthy, DefinitionId()) << "nothing goes back to it";
  const AppChanges changes = edit.Finish();
  const auto message = ToMessage(definition, changes.new_definitions.at(kLost));
  ASSERT_TRUE(message) << message.error().message;
  EXPECT_EQ(ContentHash(*message), definition.content_hash);
}

TEST_F(PlaceholderTest, WhatRunsIsAskedToBeReplacedAndWhatCannotRunGoes) {
  const DefinitionKey here{1, DefinitionId("here")};
  app_.definitions[here].id = here.id;
  Add("runs", LrpState::kRunning, kLost);
  Add("waits", LrpState::kUnclaimed, kLost);
  Add("crashed", LrpState::kCrashed, kLost);
  Add("other", LrpState::kRunning, here);
  AppEdit edit(app_, moment_, "test");
  AddPlaceholders(edit, {kLost});
  EXPECT_EQ(app_.actuals.size(), 2U);
  EXPECT_TRUE(app_.actuals.at(ActualId("runs")).retire_asked);
  EXPECT_FALSE(app_.actuals.at(ActualId("other")).retire_asked);
}

TEST_F(PlaceholderTest, ARollHasNothingToGoBackToUnlessItIsOnItsWayThere) {
  app_.roll.emplace();
  app_.roll->incarnation = 1;
  app_.roll->source = kLost.id;
  app_.roll->state = RollState::kRolling;
  {
    AppEdit edit(app_, moment_, "test");
    AddPlaceholders(edit, {kLost});
    EXPECT_EQ(app_.roll->source, DefinitionId());
    edit.Undo();
  }
  EXPECT_EQ(app_.roll->source, kLost.id) << "a call that is refused changes nothing";
  EXPECT_TRUE(app_.definitions.empty());
  app_.roll->state = RollState::kRollingBack;
  AppEdit edit(app_, moment_, "test");
  AddPlaceholders(edit, {kLost});
  EXPECT_EQ(app_.roll->source, kLost.id);
}

}  // namespace
}  // namespace baton::wire
