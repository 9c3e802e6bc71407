#include "tools/definitions/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton::definitions {
namespace {

using ::testing::HasSubstr;

constexpr BlobPlace kPlace{"definitions", "run_info", "app/1/v1"};

std::string Is(const std::string& payload) { return payload == "payload" ? "" : "it is something else"; }

TEST(BlobFault, NothingIsWrongWithWhatWasSealed) {
  EXPECT_EQ(BlobFault(PlainCipher(), kPlace, PlainBlob("payload"), {}, Is), std::nullopt);
}

TEST(BlobFault, EveryPrefixOfAnEnvelopeIsAFault) {
  const std::string sealed = PlainBlob("payload");
  for (std::size_t length = 0; length < sealed.size(); ++length) {
    const auto fault = BlobFault(PlainCipher(), kPlace, sealed.substr(0, length), {}, Is);
    ASSERT_TRUE(fault) << length;
    EXPECT_THAT(*fault, HasSubstr("definitions.run_info of app/1/v1: "));
  }
}

TEST(BlobFault, ALabelMustBeKnown) {
  const std::string sealed = std::string("BT\x01\x02k1", 6) + "payload";
  EXPECT_THAT(BlobFault(PlainCipher(), kPlace, sealed, {"k2"}, Is).value(), HasSubstr("key_labels does not know"));
  EXPECT_EQ(BlobFault(PlainCipher(), kPlace, sealed, {"k1"}, Is), std::nullopt);
}

TEST(References, AnIncarnationsDefinitionsAreItsOwn) {
  AppState app;
  app.guid = ProcessGuid("app");
  app.desired = DesiredLrp{.incarnation = 2};
  app.desired->active = DefinitionId("v1");
  app.definitions[{1, DefinitionId("v1")}];
  const auto findings = DanglingReferences(app);
  ASSERT_EQ(findings.size(), 1u);  // no healthy one yet is no fault
  EXPECT_EQ(Sentence(findings[0]),
            "app app, definition v1: the desired row's active_definition refers to it, and it does not exist in "
            "incarnation 2; restore it from a backup, or update the app to a new definition.");
  app.definitions[{2, DefinitionId("v1")}];
  EXPECT_TRUE(DanglingReferences(app).empty());
}

TEST(References, WhatHasToNameADefinitionAndNamesNoneIsFound) {
  AppState app;
  app.guid = ProcessGuid("app");
  app.desired = DesiredLrp{.incarnation = 1};
  const auto findings = DanglingReferences(app);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].fault, "the desired row's active_definition names no definition");
}

}  // namespace
}  // namespace baton::definitions
