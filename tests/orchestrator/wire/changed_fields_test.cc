// The audit names what changed and shows no value of it.
#include "orchestrator/wire/differences/changed_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton::wire {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ChangedFieldsOf : public ::testing::Test {
 protected:
  ChangedFieldsOf() {
    app.guid = ProcessGuid("shop");
    DesiredLrp desired;
    desired.incarnation = 1;
    desired.domain = "cf";
    desired.instances = 2;
    desired.active = DefinitionId("v1");
    desired.image_password = "hunter2";
    app.desired = before = desired;
    for (const char* id : {"v1", "v2", "v3"}) {
      Definition definition;
      definition.id = DefinitionId(id);
      definition.content_hash = id == std::string("v3") ? "one" : id == std::string("v2") ? "two" : "one";
      definition.resources.memory_mb = id == std::string("v2") ? 512 : 256;
      app.definitions[{1, definition.id}] = definition;
    }
  }
  std::vector<std::string> Names() const { return ChangedFields(before, app); }

  AppState app;
  std::optional<DesiredLrp> before;
};

TEST_F(ChangedFieldsOf, NothingIsNothing) { EXPECT_THAT(Names(), IsEmpty()); }

TEST_F(ChangedFieldsOf, AnUpdateAreItsNames) {
  app.desired->instances = 3;
  app.desired->annotation = "a value";
  app.desired->strategy.max_surge = {25, true};
  app.desired->strategy.stages = {{.instances = {1}, .wait = std::nullopt}};
  app.desired->tag.index = 7;
  app.desired->healthy = DefinitionId("v1");
  EXPECT_THAT(Names(), ElementsAre("instances", "annotation", "strategy.max_surge", "strategy.stages"));
}

// Beside what every update changes: its tag.
TEST_F(ChangedFieldsOf, EachThatIsChangedAloneIsNamed) {
  const std::vector<std::pair<std::string, void (*)(DesiredLrp&)>> each = {
      {"domain", [](DesiredLrp& d) { d.domain = "other"; }},
      {"log_guid", [](DesiredLrp& d) { d.log_guid = "log"; }},
      {"instances", [](DesiredLrp& d) { d.instances = 3; }},
      {"annotation", [](DesiredLrp& d) { d.annotation = "a"; }},
      {"image_username", [](DesiredLrp& d) { d.image_username = "me"; }},
      {"strategy.max_in_flight", [](DesiredLrp& d) { d.strategy.max_in_flight = {7, false}; }},
      {"definition_history", [](DesiredLrp& d) { d.definition_history = 3; }},
  };
  for (const auto& [name, change] : each) {
    app.desired = before;
    ++app.desired->tag.index;
    change(*app.desired);
    EXPECT_THAT(Names(), ElementsAre(name));
  }
}

TEST_F(ChangedFieldsOf, APasswordIsItsName) {
  app.desired->image_password = "hunter3";
  EXPECT_THAT(Names(), ElementsAre("image_password"));
}

TEST_F(ChangedFieldsOf, AnotherDefinitionIsWhatStandsInTheClear) {
  app.desired->active = DefinitionId("v2");
  EXPECT_THAT(Names(), ElementsAre("definition", "definition.resource.memory_mb"));
}

TEST_F(ChangedFieldsOf, TheSameContentUnderAnotherNameIsTheName) {
  app.desired->active = DefinitionId("v3");
  EXPECT_THAT(Names(), ElementsAre("definition.definition_identifier"));
}

TEST_F(ChangedFieldsOf, AnAppThatCameOrWentIsNone) {
  before.reset();
  EXPECT_THAT(Names(), IsEmpty());
  before = std::exchange(app.desired, std::nullopt);
  EXPECT_THAT(Names(), IsEmpty());
}

}  // namespace
}  // namespace baton::wire
