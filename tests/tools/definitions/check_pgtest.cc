// --check finds what is planted, names it, and goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "orchestrator/wire/messages/definition.h"

#include "tests/fakes/pg_fixture.h"
#include "tests/tools/definitions/seeded_store.h"

namespace baton::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Check : public ::testing::Test {
 protected:
  Check() {
    for (const char* app : {"app-1", "app-2", "app-3"}) {
      store_.Desire(app, 1, "v1");
      store_.Settle(app);
    }
  }
  Printed Checked(definitions::DefinitionsOptions options = {}) {
    options.database = store_.url();
    options.check = true;
    return Print(options);
  }
  // Exactly one line of a fault, and the summary.
  void ExpectOnly(const ::testing::Matcher<std::string>& fault) {
    const Printed printed = Checked();
    EXPECT_EQ(printed.code, definitions::kExitFaults);
    const std::size_t line = printed.out.find('\n');
    EXPECT_THAT(printed.out.substr(0, line), fault);
    EXPECT_THAT(printed.out.substr(line + 1), AllOf(HasSubstr("checked 3 apps"), HasSubstr(": 1 fault\n")));
    EXPECT_EQ(printed.err, "");
  }
  // The foreign keys refuse what is planted here.
  void DropReferences() {
    store_.Script(
        "ALTER TABLE desired_lrps DROP CONSTRAINT desired_lrps_active, DROP CONSTRAINT desired_lrps_healthy; "
        "ALTER TABLE actual_lrps DROP CONSTRAINT actual_lrps_definition; "
        "ALTER TABLE rolls DROP CONSTRAINT rolls_source, DROP CONSTRAINT rolls_target");
  }

  SeededStore store_{MigratedDatabase()};
};

TEST_F(Check, AllIsWell) {
  store_.Update("app-3", "v2");
  const Printed printed = Checked();
  EXPECT_EQ(printed.code, definitions::kExitFine) << printed.out;
  EXPECT_THAT(printed.out, HasSubstr("checked 3 apps, 4 definitions, "));
  EXPECT_THAT(printed.out, HasSubstr(": all is well\n"));
}

TEST_F(Check, AFlippedByteInARunInfo) {
  // Within the text of the action's path, so that it still parses.
  store_.Script(
      "UPDATE definitions SET run_info = overlay(run_info PLACING '/sin' FROM position('/bin' IN run_info)) "
      "WHERE process_guid = 'app-2'");
  ExpectOnly(AllOf(HasSubstr("app app-2, definition v1: "), HasSubstr("the content hash is "), HasSubstr("backup")));
}

TEST_F(Check, EveryFlippedBitOfARunInfoIsFound) {
  store_.Script("CREATE TABLE kept AS SELECT run_info FROM definitions WHERE process_guid = 'app-2'");
  const std::size_t bits = 8 * (4 + Version("v1").run_info.size());  // the envelope and the payload
  for (std::size_t bit = 0; bit < bits; bit += 3) {
    const std::string at = std::to_string(bit);
    store_.Script("UPDATE definitions SET run_info = set_bit(kept.run_info, " + at + ", 1 - get_bit(kept.run_info, " +
                  at + ")) FROM kept WHERE process_guid = 'app-2'");
    EXPECT_EQ(Checked({.app = ProcessGuid("app-2")}).code, definitions::kExitFaults) << "bit " << bit;
  }
}

TEST_F(Check, AWrongHash) {
  store_.Script("UPDATE definitions SET content_hash = repeat('0', 64) WHERE process_guid = 'app-1'");
  ExpectOnly(AllOf(HasSubstr("app app-1, definition v1: "), HasSubstr(std::string(64, '0') + " is stored")));
}

TEST_F(Check, AColumnInTheClearThatWasEdited) {
  store_.Script("UPDATE definitions SET ports = '{9}' WHERE process_guid = 'app-1'");
  ExpectOnly(HasSubstr("its column ports does not say what its run info says"));
}

TEST_F(Check, AnEnvelopeThatIsCutOff) {
  store_.Script("UPDATE definitions SET run_info = substr(run_info, 1, 3) WHERE process_guid = 'app-2'");
  ExpectOnly(AllOf(HasSubstr("app app-2, definition v1: "), HasSubstr("it is no envelope")));
}

TEST_F(Check, ALabelThatIsCutOff) {
  store_.Script("UPDATE definitions SET run_info = '\\x42540105616263' WHERE process_guid = 'app-2'");
  ExpectOnly(HasSubstr("the envelope is cut off"));
}

TEST_F(Check, AKeyLabelThatNobodyKnows) {
  // Format 1 with the label "k1" in front of the same payload.
  store_.Script(
      "UPDATE definitions SET run_info = '\\x425401026b31'::bytea || substr(run_info, 5) "
      "WHERE process_guid = 'app-2'");
  ExpectOnly(AllOf(HasSubstr("app app-2, definition v1: "), HasSubstr("key_labels does not know")));
  store_.Script("INSERT INTO key_labels VALUES ('k1', true)");
  EXPECT_EQ(Checked().code, definitions::kExitFine);
}

TEST_F(Check, AFormatOfTheFuture) {
  store_.Script("UPDATE desired_lrps SET annotation = '\\x42540900' WHERE process_guid = 'app-2'");
  ExpectOnly(AllOf(HasSubstr("app app-2"), HasSubstr("desired_lrps.annotation"), HasSubstr("newer")));
}

TEST_F(Check, BlobsOfTheAppAndOfItsInstances) {
  for (const char* column : {"routes", "metric_tags", "credentials", "strategy"}) {
    const std::string set = std::string("UPDATE desired_lrps SET ") + column + " = ";
    store_.Script(std::string("CREATE TABLE kept AS SELECT ") + column + " AS v FROM desired_lrps LIMIT 1");
    store_.Script(set + "'\\x42540100ff' WHERE process_guid = 'app-1'");
    ExpectOnly(AllOf(HasSubstr("app app-1"), HasSubstr(std::string("desired_lrps.") + column), HasSubstr("not parse")));
    store_.Script(set + "v FROM kept WHERE process_guid = 'app-1'; DROP TABLE kept");
  }
  store_.Script("UPDATE actual_lrps SET net_info = '\\x42540100ff' WHERE process_guid = 'app-2'");
  ExpectOnly(AllOf(HasSubstr("app app-2, definition v1"), HasSubstr("actual_lrps.net_info")));
}

TEST_F(Check, AnOpenRollsStrategy) {
  store_.Script(
      "INSERT INTO rolls SELECT process_guid, incarnation, 'r', NULL, active_definition, 'ROLLING', "
      "'\\x42540100', 0, now(), now(),"
      " NULL, NULL, NULL, NULL, 0, false, '', false, NULL, 0, '\\x42540100ff' FROM desired_lrps WHERE process_guid = 'app-2'"
      " ON CONFLICT ON CONSTRAINT rolls_one_an_app DO UPDATE SET strategy = EXCLUDED.strategy");
  ExpectOnly(AllOf(HasSubstr("app app-2"), HasSubstr("rolls.strategy"), HasSubstr("not parse")));
}

TEST_F(Check, EventsAndKeptAnswersToo) {
  store_.Script("UPDATE events SET payload = '\\x42540100ff' WHERE sequence = (SELECT min(sequence) FROM events)");
  ExpectOnly(HasSubstr("events.payload"));
  // They belong to no app alone: a filter leaves them out.
  EXPECT_EQ(Checked({.app = ProcessGuid("app-1")}).code, definitions::kExitFine);
  store_.Script("DELETE FROM events; INSERT INTO idempotency_keys VALUES ('key', 'm', 'h', 'junk', now())");
  ExpectOnly(HasSubstr("idempotency_keys.answer of key"));
}

TEST_F(Check, DanglingReferencesOfTheDesiredRow) {
  DropReferences();
  store_.Script("UPDATE desired_lrps SET active_definition = 'v7' WHERE process_guid = 'app-2'");
  ExpectOnly(
      AllOf(HasSubstr("app app-2, definition v7: "), HasSubstr("active_definition"), HasSubstr("does not exist")));
  store_.Script(
      "UPDATE desired_lrps SET active_definition = 'v1', healthy_definition = 'v8' WHERE process_guid = 'app-2'");
  ExpectOnly(AllOf(HasSubstr("definition v8: "), HasSubstr("healthy_definition")));
}

TEST_F(Check, DanglingReferencesOfAnInstance) {
  DropReferences();
  const std::string id = store_.Read("app-2").actuals.begin()->first.str();
  store_.Script("UPDATE actual_lrps SET definition_identifier = 'v7' WHERE process_guid = 'app-2'");
  ExpectOnly(AllOf(HasSubstr("app app-2, definition v7: "), HasSubstr("instance " + id)));
}

TEST_F(Check, DanglingReferencesOfARoll) {
  DropReferences();
  store_.Update("app-2", "v2");
  store_.Script("UPDATE rolls SET source_definition = 'v7'");
  ExpectOnly(AllOf(HasSubstr("app app-2, definition v7: "), HasSubstr("as its source")));
  store_.Script("UPDATE rolls SET source_definition = 'v1', target_definition = 'v9'");
  ExpectOnly(AllOf(HasSubstr("definition v9: "), HasSubstr("as its target")));
}

TEST_F(Check, AnAppWithoutAnyDefinitionIsFoundToo) {
  DropReferences();
  store_.Script("DELETE FROM definitions WHERE process_guid = 'app-2'");
  const Printed printed = Checked();
  EXPECT_EQ(printed.code, definitions::kExitFaults);
  EXPECT_THAT(printed.out, HasSubstr(": 3 faults\n"));  // active, healthy, instance
}

TEST_F(Check, ManyFaultsAreAllFoundAndTheRestIsChecked) {
  store_.Script(
      "UPDATE definitions SET run_info = 'junk' WHERE process_guid = 'app-1'; "
      "UPDATE desired_lrps SET routes = 'junk', strategy = '' WHERE process_guid = 'app-1'; "
      "UPDATE actual_lrps SET net_info = '' WHERE process_guid = 'app-2'; "
      "UPDATE definitions SET content_hash = repeat('0', 64) WHERE process_guid = 'app-3'");
  for (const int page : {1, 2, 100}) {
    const Printed printed = Checked({.page_apps = page});
    EXPECT_EQ(printed.code, definitions::kExitFaults);
    EXPECT_THAT(printed.out, AllOf(HasSubstr("checked 3 apps, 3 definitions"), HasSubstr(": 5 faults\n")));
  }
  const auto json = nlohmann::json::parse(Checked({.output = "json"}).out);
  ASSERT_EQ(json["faults"].size(), 5u);
  EXPECT_EQ(json["faults"][0]["process_guid"], "app-1");
  EXPECT_EQ(json["faults"][0]["definition_identifier"], "v1");
  EXPECT_EQ(json["checked"]["apps"], 3);
}

TEST_F(Check, AnAppThatNoCellTakesIsAWarningAndNoFault) {
  store_.Script("UPDATE cells SET abilities = '{run}'; DELETE FROM desired_lrps WHERE process_guid = 'app-3'");
  const Printed printed = Checked();
  EXPECT_EQ(printed.code, definitions::kExitFine) << "it is sound";
  EXPECT_THAT(printed.out, AllOf(HasSubstr("warning: app app-1, definition v1: definition.run_info.action: no cell of 1 can enact user; "),
                                 HasSubstr("warning: app app-2"), Not(HasSubstr("app-3")), HasSubstr(": all is well, 2 warnings\n")));
  const auto json = nlohmann::json::parse(Checked({.output = "json"}).out);
  ASSERT_EQ(json["warnings"].size(), 2u);
  EXPECT_EQ(json["warnings"][0]["process_guid"], "app-1");
  EXPECT_EQ(json["warnings"][0]["definition_identifier"], "v1");
  EXPECT_THAT(json["warnings"][0]["warning"].get<std::string>(), HasSubstr("can enact user"));
  EXPECT_TRUE(json["faults"].empty());
  store_.Script("DELETE FROM cells");
  EXPECT_THAT(Checked().out, AllOf(Not(HasSubstr("warning")), HasSubstr("no cell is registered: ")));
}

TEST_F(Check, WhatTheApiWouldRefuseTodayIsAWarning) {
  v2::LRPDefinition message;
  message.mutable_resource()->set_root_fs("host:");
  message.mutable_run_info()->mutable_action()->mutable_upload_action()->set_to("https://blobs.example");
  DefinitionInput input;
  input.definition.id = DefinitionId("of-before");
  input.definition.root_fs = "host:";
  input.definition.content_hash = wire::ContentHash(message);
  input.run_info = message.run_info().SerializeAsString();
  store_.Insert("app-2", input);
  EXPECT_THAT(Checked().out, Not(HasSubstr("warning"))) << "nothing starts from it";
  store_.Script("UPDATE desired_lrps SET active_definition = 'of-before' WHERE process_guid = 'app-2'");
  const Printed printed = Checked();
  EXPECT_EQ(printed.code, definitions::kExitFine) << printed.out;
  EXPECT_THAT(printed.out, HasSubstr("warning: app app-2, definition of-before: the API would refuse it today: "
                                     "definition.run_info.action.upload_action is not supported"));
}

TEST_F(Check, BlobsLargerThanABatchAreReadOneByOne) {
  for (const char* version : {"big-1", "big-2", "big-3"}) {
    const DefinitionInput input = Version(version, 700'000);
    store_.Insert("app-1", input);
  }
  EXPECT_EQ(Checked().code, definitions::kExitFine);
  store_.Script("UPDATE definitions SET content_hash = repeat('0', 64) WHERE definition_identifier = 'big-2'");
  ExpectOnly(HasSubstr("app app-1, definition big-2"));
}

}  // namespace
}  // namespace baton::testing
