#include "tools/definitions/listing.h"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

namespace baton::definitions {
namespace {

DumpedApp App() {
  DumpedApp app;
  app.state.guid = ProcessGuid("app");
  app.state.desired = DesiredLrp{.incarnation = 7, .domain = "true"};
  app.state.desired->active = DefinitionId("1");
  Definition definition;
  definition.id = DefinitionId("1");
  definition.content_hash = std::string(64, 'a');
  definition.created_at = FromMicros(1'000'000);
  app.sizes[{7, definition.id}] = 2048;
  app.state.definitions[{7, definition.id}] = definition;
  return app;
}

std::string Whole(const std::string& format, const DumpedApp& app) {
  const auto listing = MakeListing(format);
  std::string text = listing->Begin(FromMicros(0), 2);
  text += listing->Page(RecordsOf(app, 2, FromMicros(61'000'000)));
  return text += listing->End();
}

TEST(Listing, TextsStayTextsInYaml) {
  const YAML::Node one = YAML::Load(Whole("yaml", App()))["definitions"][0];
  EXPECT_EQ(one["definition_identifier"].Tag(), "!");  // quoted: no number
  EXPECT_EQ(one["definition_identifier"].as<std::string>(), "1");
  EXPECT_EQ(one["domain"].Tag(), "!");
  EXPECT_EQ(one["age_s"].as<int>(), 60);
  EXPECT_EQ(one["held_by"].size(), 0u);
  EXPECT_TRUE(one["proven_at"].IsNull());
}

TEST(Listing, BytesThatAreNoUtf8AreReplaced) {
  DumpedApp app = App();
  app.state.desired->domain = "\xff";
  const auto text = Dump(AsJson(RecordsOf(app, 2, FromMicros(0)).front()), -1);
  EXPECT_EQ(nlohmann::json::parse(text)["domain"], "\xef\xbf\xbd");
}

TEST(Listing, TheTableIsReadable) {
  EXPECT_EQ(Whole("table", App()),
            "APP  DEFINITION  HASH          ROLES   INSTANCES  SIZE     AGE\n"
            "app  1           aaaaaaaaaaaa  active  0          2.0 KiB  60s\n");
}

}  // namespace
}  // namespace baton::definitions
