// `show`, and that secrets stay where they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/fakes/pg_fixture.h"
#include "tests/tools/definitions/seeded_store.h"

namespace baton::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

class Show : public ::testing::Test {
 protected:
  Show() {
    store_.Desire("app", 1, "v1");
    store_.Settle("app");
    store_.Roll("app", "v2");
  }
  definitions::DefinitionsOptions Of(const std::string& identifier) {
    return {.database = store_.url(), .app = ProcessGuid("app"), .show = true, .identifier = DefinitionId(identifier)};
  }

  SeededStore store_{MigratedDatabase()};
};

TEST_F(Show, PrintsTheWholeDefinitionWithSecretsRedacted) {
  const Printed printed = Print(Of("v1"));
  ASSERT_EQ(printed.code, definitions::kExitFine) << printed.err;
  const Json shown = Json::parse(printed.out);
  EXPECT_EQ(shown["definition"]["run_info"]["action"]["run_action"]["path"], "/bin/v1");
  EXPECT_EQ(shown["definition"]["resource"]["memory_mb"], 64);
  EXPECT_EQ(shown["definition"]["run_info"]["environment_variables"][0]["name"], "TOKEN");
  EXPECT_EQ(shown["definition"]["run_info"]["environment_variables"][0]["value"], "<redacted>");
  EXPECT_EQ(shown["image_password"], "<redacted>");
  EXPECT_EQ(shown["roles"], Json({"history"}));
  EXPECT_EQ(printed.err, "");
}

TEST_F(Show, WithoutAnIdentifierItIsTheActiveOne) {
  EXPECT_EQ(Json::parse(Print(Of("")).out)["definition_identifier"], "v2");
  store_.Remove("app");
  const Printed gone = Print(Of(""));
  EXPECT_EQ(gone.code, definitions::kExitFaults);
  EXPECT_THAT(gone.err, HasSubstr("name one"));
  EXPECT_EQ(Print(Of("v2")).code, definitions::kExitFine);
}

TEST_F(Show, RevealsOnlyWhenAskedAndWarns) {
  definitions::DefinitionsOptions options = Of("v2");
  options.reveal = true;
  const Printed printed = Print(options);
  const Json shown = Json::parse(printed.out);
  EXPECT_EQ(shown["definition"]["run_info"]["environment_variables"][0]["value"], kSecretValue);
  EXPECT_EQ(shown["image_password"], kSecretPassword);
  EXPECT_THAT(printed.err, HasSubstr("warning: secrets are shown in the clear"));
  EXPECT_THAT(printed.err, Not(HasSubstr("s3cr3t")));
}

TEST_F(Show, NoFormatHoldsASecretUnasked) {
  for (const char* format : {"table", "wide", "json", "yaml"}) {
    for (const bool check : {false, true}) {
      const Printed listed = Print({.database = store_.url(), .output = format, .check = check});
      EXPECT_THAT(listed.out + listed.err, Not(HasSubstr("s3cr3t"))) << format;
    }
    definitions::DefinitionsOptions options = Of("v1");
    options.output = format;
    const Printed shown = Print(options);
    EXPECT_THAT(shown.out + shown.err, Not(HasSubstr("s3cr3t"))) << format;
  }
}

TEST_F(Show, ABrokenBlobsBytesAreInNoMessage) {
  // The hash does not fit, routes and credentials do not parse, and the secrets are still in the bytes.
  store_.Script(
      "UPDATE definitions SET run_info = run_info || 'x'; "
      "UPDATE desired_lrps SET credentials = 'no envelope s3cr3t', routes = 'BT'::bytea || '\\x0100'::bytea || "
      "'s3cr3t'");
  for (const char* format : {"table", "json", "yaml"}) {
    const Printed checked = Print({.database = store_.url(), .output = format, .check = true});
    EXPECT_EQ(checked.code, definitions::kExitFaults);
    EXPECT_THAT(checked.out + checked.err, Not(HasSubstr("s3cr3t"))) << format;
  }
  const Printed shown = Print(Of("v1"));
  EXPECT_EQ(shown.code, definitions::kExitFaults);
  EXPECT_THAT(shown.err, HasSubstr("app app, definition v1"));
  EXPECT_THAT(shown.out + shown.err, Not(HasSubstr("s3cr3t")));
}

TEST_F(Show, AMissingOneIsNamed) {
  const Printed printed = Print(Of("v9"));
  EXPECT_EQ(printed.code, definitions::kExitFaults);
  EXPECT_THAT(printed.err, HasSubstr("no definition v9 of app app"));
}

}  // namespace
}  // namespace baton::testing
