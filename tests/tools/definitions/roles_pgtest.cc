// What the list says of states that the use cases made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>

#include "orchestrator/model/version.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/tools/definitions/seeded_store.h"

namespace baton::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

class Roles : public ::testing::Test {
 protected:
  Json List(definitions::DefinitionsOptions options = {}) {
    options.database = store_.url();
    options.output = "json";
    const Printed printed = Print(options);
    EXPECT_EQ(printed.code, definitions::kExitFine) << printed.err;
    return Json::parse(printed.out)["definitions"];
  }
  static Json Of(const Json& list, const std::string& identifier) {
    for (const Json& one : list) {
      if (one["definition_identifier"] == identifier) return one;
    }
    ADD_FAILURE() << "no " << identifier << " in " << list.dump(2);
    return {};
  }
  static Strings RolesOf(const Json& list, const std::string& identifier) {
    return Of(list, identifier)["roles"].get<Strings>();
  }

  SeededStore store_{MigratedDatabase()};
};

TEST_F(Roles, AFirstStartIsActiveAndTheRollsTarget) {
  store_.Desire("app", 2, "v1");
  const Json list = List();
  EXPECT_THAT(RolesOf(list, "v1"), ElementsAre("active", "roll target", "instance"));
  EXPECT_EQ(Of(list, "v1")["roll_id"], store_.Read("app").roll->id.str());
}

TEST_F(Roles, WhyAnInstanceHasNoCellIsToldInTheCellsOwnWords) {
  const std::string words = "cell-1: refused: insufficient memory: 512 MiB wanted, 100 free";
  store_.Desire("app", 2, "v1");
  store_.Reject("app", words);
  store_.Desire("other", 1, "v1");
  store_.Settle("other");
  const Json list = List();
  const Json v1 = Of(list, "v1");
  ASSERT_EQ(v1["process_guid"], "app");
  Strings told;
  for (const Json& holder : v1["held_by"]) told.push_back(holder["placement_error"]);
  EXPECT_THAT(told, UnorderedElementsAre(words, ""));
  EXPECT_THAT(v1["why"].get<std::string>(), HasSubstr("2 instances made from it, 1 without a cell (" + words + ")"));
  EXPECT_THAT(Print({.database = store_.url(), .output = "wide"}).out, HasSubstr(words));
  const Json shown =
      Json::parse(Print({.database = store_.url(), .app = ProcessGuid("app"), .show = true}).out);
  EXPECT_THAT(shown["why"].get<std::string>(), HasSubstr(words));
  store_.Settle("app");
  EXPECT_THAT(Of(List(), "v1")["why"].get<std::string>(), Not(HasSubstr("without a cell")));
}

TEST_F(Roles, ASettledAppsOneIsActiveHealthyAndHeldByItsInstances) {
  store_.Desire("app", 2, "v1");
  store_.Settle("app");
  const Json v1 = Of(List(), "v1");
  EXPECT_THAT(v1["roles"].get<Strings>(), ElementsAre("active", "healthy", "instance"));
  EXPECT_TRUE(v1["roll_id"].is_null());
  Strings holders;
  for (const Json& holder : v1["held_by"]) holders.push_back(holder["actual_id"]);
  Strings actuals;
  for (const auto& [id, lrp] : store_.Read("app").actuals) actuals.push_back(id.str());
  EXPECT_EQ(holders, actuals);
  EXPECT_EQ(v1["held_by"][0]["state"], "RUNNING");
  EXPECT_EQ(v1["content_hash"], Version("v1").definition.content_hash);
  EXPECT_EQ(v1["domain"], "test");
  EXPECT_GT(v1["size_bytes"], 20);
  EXPECT_GE(v1["age_s"], 0);
}

TEST_F(Roles, DuringARollSourceAndTargetNameIt) {
  store_.Desire("app", 1, "v1");
  store_.Settle("app");
  store_.Update("app", "v2");
  const Json list = List();
  EXPECT_THAT(RolesOf(list, "v1"), ElementsAre("healthy", "roll source", "instance", "history"));
  EXPECT_THAT(RolesOf(list, "v2"), ElementsAre("active", "roll target", "instance"));
  const std::string roll = store_.Read("app").roll->id.str();
  EXPECT_THAT(Of(list, "v1")["why"].get<std::string>(), HasSubstr("roll " + roll + " goes from it"));
}

TEST_F(Roles, HistoryTellsSinceAndUntilWhen) {
  store_.Desire("app", 1, "v1");
  store_.Settle("app");
  for (const char* version : {"v2", "v3", "v4"}) store_.Roll("app", version);
  const Json list = List();
  EXPECT_THAT(RolesOf(list, "v1"), ElementsAre("collectable"));
  EXPECT_THAT(RolesOf(list, "v2"), ElementsAre("history"));
  EXPECT_THAT(RolesOf(list, "v3"), ElementsAre("history"));
  EXPECT_EQ(Of(list, "v2")["history_until_newer"], 1);
  EXPECT_EQ(Of(list, "v3")["history_until_newer"], 2);
  EXPECT_TRUE(Of(list, "v2")["proven_at"].is_string());
  EXPECT_THAT(Of(list, "v1")["why"].get<std::string>(),
              HasSubstr("the last 2 proven ones before the active are newer"));
  // It is the collector's rule: what goes here is what goes there.
  EXPECT_THAT(RolesOf(List({.history = 1}), "v2"), ElementsAre("collectable"));
}

TEST_F(Roles, WhatWasNeverProvenAndIsReplacedIsCollectable) {
  store_.Desire("app", 0, "v1");
  store_.Script("UPDATE definitions SET proven_at = NULL");
  store_.Roll("app", "v2");
  EXPECT_THAT(Of(List(), "v1")["why"].get<std::string>(), HasSubstr("never proven"));
}

TEST_F(Roles, PinnedAndGone) {
  store_.Desire("app", 1, "v1");
  store_.Settle("app");
  for (const char* version : {"v2", "v3", "v4"}) store_.Roll("app", version);
  store_.Pin("app", "v1");
  EXPECT_THAT(RolesOf(List(), "v1"), ElementsAre("pinned"));
  store_.Remove("app");
  const Json list = List();
  EXPECT_THAT(RolesOf(list, "v4"), ElementsAre("instance"));  // still draining
  EXPECT_THAT(RolesOf(list, "v1"), ElementsAre("collectable"));
  EXPECT_THAT(Of(list, "v1")["why"].get<std::string>(), HasSubstr("not desired any more"));
  EXPECT_EQ(Of(list, "v4")["domain"], "");
}

TEST_F(Roles, AnEarlierLifeOfTheAppIsToldApart) {
  store_.Desire("app", 0, "v1");
  store_.Settle("app");
  store_.Remove("app");
  store_.Desire("app", 1, "v1");
  const Json list = List();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_THAT(list[0]["roles"].get<Strings>(), ElementsAre("collectable"));
  EXPECT_THAT(list[0]["why"].get<std::string>(), HasSubstr("an earlier life of the app"));
  EXPECT_THAT(list[1]["roles"].get<Strings>(), ElementsAre("active", "roll target", "instance"));
}

TEST_F(Roles, FiltersByAppAndByDomain) {
  store_.Desire("a", 0, "v1", "one");
  store_.Desire("b", 0, "v2", "two");
  store_.Desire("c", 0, "v3", "two");
  const auto guids = [](const Json& list) {
    Strings names;
    for (const Json& one : list) names.push_back(one["process_guid"]);
    return names;
  };
  EXPECT_THAT(guids(List()), ElementsAre("a", "b", "c"));
  EXPECT_THAT(guids(List({.app = ProcessGuid("b")})), ElementsAre("b"));
  EXPECT_THAT(guids(List({.domain = "two"})), ElementsAre("b", "c"));
  EXPECT_THAT(guids(List({.domain = "two", .page_apps = 1})), ElementsAre("b", "c"));
  EXPECT_THAT(guids(List({.domain = "three"})), IsEmpty());
  const Printed nobody = Print({.database = store_.url(), .app = ProcessGuid("nobody")});
  EXPECT_EQ(nobody.code, definitions::kExitFaults);
  EXPECT_THAT(nobody.err, HasSubstr("there is nothing of an app nobody"));
}

TEST_F(Roles, ManyPagesAreOneListInEveryFormat) {
  for (int i = 0; i < 7; ++i) store_.Desire("app-" + std::to_string(i), 0, "v1");
  const auto without_age = [](Json list) {
    for (Json& one : list) one.erase("age_s");  // a second may pass between the two
    return list;
  };
  EXPECT_EQ(without_age(List({.page_apps = 2})), without_age(List()));
  definitions::DefinitionsOptions options{.database = store_.url(), .output = "yaml", .page_apps = 2};
  const YAML::Node yaml = YAML::Load(Print(options).out);
  EXPECT_EQ(yaml["definitions"].size(), 7u);
  EXPECT_EQ(yaml["definitions"][6]["process_guid"].as<std::string>(), "app-6");
  options.output = "table";
  const std::string table = Print(options).out;
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 8);
  EXPECT_THAT(table, HasSubstr("APP    DEFINITION"));
  EXPECT_THAT(table, Not(HasSubstr("HELD BY")));
  options.output = "wide";
  EXPECT_THAT(Print(options).out, HasSubstr("HELD BY"));
}

TEST_F(Roles, AnEmptyDatabaseIsAnEmptyListInEveryFormat) {
  EXPECT_THAT(List(), IsEmpty());
  EXPECT_EQ(YAML::Load(Print({.database = store_.url(), .output = "yaml"}).out)["definitions"].size(), 0u);
  EXPECT_THAT(Print({.database = store_.url()}).out, HasSubstr("APP"));
}

TEST_F(Roles, ABrokenBlobIsNoReasonNotToTellTheRoles) {
  store_.Desire("app", 1, "v1");
  store_.Script("UPDATE definitions SET run_info = 'junk'; UPDATE desired_lrps SET routes = '', strategy = 'x'");
  EXPECT_THAT(RolesOf(List(), "v1"), ElementsAre("active", "roll target", "instance"));
}

TEST_F(Roles, ANewerSchemaIsRefused) {
  store_.Script("UPDATE versions SET current = 999, target = 999, current_semver = '2.999.0'");
  const Printed printed = Print({.database = store_.url()});
  EXPECT_EQ(printed.code, definitions::kExitFaults);
  EXPECT_EQ(printed.out, "");
  EXPECT_THAT(printed.err, HasSubstr("is of schema 999 (2.999.0); this program knows schema " +
                                     std::to_string(kSchemaMigration) + " (" + kSchemaSemver + ") at most"));
}

TEST_F(Roles, AMigrationThatIsUnderWayIsRefusedToo) {
  store_.Script("UPDATE versions SET target = 999");
  const Printed printed = Print({.database = store_.url()});
  EXPECT_EQ(printed.code, definitions::kExitFaults);
  EXPECT_THAT(printed.err, HasSubstr("on its way to schema 999"));
}

TEST(RolesOfNothing, AnotherDatabaseIsRefused) {
  const Printed printed = Print({.database = FreshDatabase()});
  EXPECT_EQ(printed.code, definitions::kExitFaults);
  EXPECT_THAT(printed.err, HasSubstr("no data of Baton's"));
}

}  // namespace
}  // namespace baton::testing
