// `baton describe app X -o yaml | baton apply -f -` changes nothing, whatever X is.
#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orchestrator/wire/redact.h"
#include "tests/orchestrator/wire/full_definition.h"
#include "tests/tools/baton/any_app.h"
#include "tools/baton/app_file.h"
#include "tools/baton/app_text.h"
#include "tools/baton/hidden.h"
#include "tools/baton/stored_app.h"

namespace baton::cli {
namespace {

using google::protobuf::util::MessageDifferencer;
using testing::HasSubstr;
using testing::Not;

std::string Exported(v2::DesiredLRP app) {
  wire::Redact(app);
  return AppText(app);
}

// What an app file can say of it.
v2::DesiredLRP Sayable(v2::DesiredLRP app) {
  app.clear_modification_tag();
  app.clear_incarnation();
  app.clear_active_definition();
  app.clear_healthy_definition();
  app.clear_roll_id();
  v2::LRPDefinition& definition = *app.mutable_definition();
  if (definition.definition_identifier() == definition.content_hash()) definition.clear_definition_identifier();
  definition.clear_content_hash();
  return app;
}

RC_GTEST_PROP(RoundTrip, WhatIsDescribedIsAppliedAsWhatIsStored, ()) {
  const v2::DesiredLRP app = AnyApp();
  const std::string text = Exported(app);
  auto read = ReadAppFile("stdin", text, {});
  if (!read) RC_FAIL(read.error().message + "\n" + text);
  RC_ASSERT(read->size() == 1u);
  AppFile& file = read->front();
  const Status kept = KeepHidden(&app, file.app);
  if (!kept) RC_FAIL(kept.error().message + "\n" + text);
  RC_ASSERT(file.gives_instances);
  if (!MessageDifferencer::Equals(file.app, Sayable(app))) {
    RC_FAIL("--- stored\n" + Sayable(app).DebugString() + "\n--- applied\n" + file.app.DebugString() + "\n" + text);
  }
  RC_ASSERT(IsAsStored(file, app));
}

v2::DesiredLRP Full() {
  v2::DesiredLRP app = FullApp();
  app.mutable_modification_tag()->set_epoch("e");
  return app;
}

AppFile Read(const std::string& text) {
  auto read = ReadAppFile("stdin", text, {});
  EXPECT_TRUE(read.ok()) << (read ? "" : read.error().message);
  return read ? read->front() : AppFile();
}

std::string Replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what << " is not in\n" << text;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

TEST(RoundTrip, RoutesComeOutAsTheyGoIn) {
  v2::DesiredLRP app = Full();
  EXPECT_THAT(Exported(app), HasSubstr("routes:\n  - hostnames:\n      - full.example\n    port: 8080\n"));
  (*app.mutable_routes()->mutable_routes())["tcp-router"] = R"([{"external_port":1024,"container_port":9000}])";
  EXPECT_THAT(Exported(app), HasSubstr("  tcp-router:\n    - external_port: 1024\n      container_port: 9000\n"));
  (*app.mutable_routes()->mutable_routes())["tcp-router"] = "[ 1 ]";
  EXPECT_THAT(Exported(app), HasSubstr("  tcp-router: !raw \"[ 1 ]\"\n"));
}

TEST(RoundTrip, NoSecretIsExportedAndAChangeBesideOneKeepsIt) {
  const v2::DesiredLRP app = Full();
  const std::string text = Exported(app);
  EXPECT_THAT(text, Not(HasSubstr("s3cr3t")));
  EXPECT_THAT(text, Not(HasSubstr("<redacted>")));
  AppFile file = Read(Replaced(text, "instances: 2", "instances: 4"));
  EXPECT_TRUE(KeepHidden(&app, file.app).ok());
  v2::DesiredLRP wanted = Sayable(app);
  wanted.set_instances(4);
  EXPECT_TRUE(MessageDifferencer::Equals(file.app, wanted));
  EXPECT_FALSE(IsAsStored(file, app));
}

TEST(RoundTrip, NumbersOfZeroAndEmptyListsAreThere) {
  v2::DesiredLRP app = Full();
  app.set_instances(0);
  app.mutable_definition()->clear_placement_tags();
  app.mutable_definition()->mutable_resource()->set_memory_mb(0);
  EXPECT_THAT(Exported(app),
              AllOf(HasSubstr("\ninstances: 0\n"), HasSubstr("placement_tags: []\n"), HasSubstr("memory_mb: 0\n")));
}

// What an app without its server's fields would be read from; `secret` stands where its value is.
std::string Small(const std::string& secret) {
  return "guid: a\ndomain: d\ndefinition:\n  root_fs: 'host:'\n  action: {command: /bin/x}\n  env:\n    - name: A\n" + secret;
}

TEST(Hidden, AValueThatWasHiddenIsRefusedWithItsPlace) {
  const auto read = ReadAppFile("app.yaml", Small("      value: <redacted>\n"), {});
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message,
            "app.yaml:8:14: definition.env[0].value: this value was hidden when it was exported: leave it out to keep "
            "what is stored, or give it");
  const auto map = ReadAppFile("a", "guid: a\ndomain: d\ndefinition: {root_fs: 'h:', env: {A: <redacted>}}", {});
  EXPECT_THAT(map.error().message, HasSubstr("a:3:"));
  const auto verdict = ReadAppFile(
      "a", "guid: a\nstrategy: {stages: [{instances: 1, verdict: {url: <redacted>}}]}\nimage_password: <redacted>", {});
  EXPECT_THAT(verdict.error().message, HasSubstr("strategy.stages[0].verdict.url: this value was hidden"));
  EXPECT_EQ(Read("annotation: <redacted>\n" + Small("      value: x\n")).app.annotation(), "<redacted>");
}

TEST(Hidden, ASecretThatIsLeftOutIsTheStoredOneAndOneThatIsGivenIsNot) {
  v2::DesiredLRP stored = Read(Small("      value: s3cr3t\n")).app;
  const auto value_of = [&](const std::string& secret) {
    AppFile file = Read(Small(secret));
    const Status kept = KeepHidden(&stored, file.app);
    return kept ? file.app.definition().run_info().environment_variables(0).value() : kept.error().message;
  };
  EXPECT_EQ(value_of(""), "s3cr3t");
  EXPECT_EQ(value_of("      value: null\n"), "s3cr3t");
  EXPECT_EQ(value_of("      value: ''\n"), "");
  EXPECT_EQ(value_of("      value: other\n"), "other");
  stored.mutable_definition()->mutable_run_info()->clear_environment_variables();
  EXPECT_EQ(value_of(""), "");
  EXPECT_EQ(value_of("      value: null\n"),
            "definition.run_info.environment_variables[0].value: nothing is stored that could be kept: give it");
}

TEST(Hidden, APasswordIsKeptForItsUserOnly) {
  v2::DesiredLRP stored = Read("image_username: u\nimage_password: p\n" + Small("")).app;
  AppFile same = Read("image_username: u\n" + Small(""));
  EXPECT_TRUE(KeepHidden(&stored, same.app).ok());
  EXPECT_EQ(same.app.image_password(), "p");
  AppFile other = Read("image_username: v\n" + Small(""));
  EXPECT_THAT(KeepHidden(&stored, other.app).error().message, HasSubstr("image_password"));
  AppFile none = Read(Small(""));
  EXPECT_TRUE(KeepHidden(&stored, none.app).ok());
  EXPECT_EQ(none.app.image_password(), "") << "credentials that are taken out go";
}

// Stages have no names: a verdict's address must not become another stage's.
std::string Stages(const std::string& stages) {
  return "strategy: {stages: [" + stages + "]}\n" + Small("      value: x\n");
}
std::string Stage(int instances, const std::string& url) {
  return "{instances: " + std::to_string(instances) + ", verdict: {" + (url.empty() ? "" : "url: " + url + ", ") + "timeout: 5s}}";
}

TEST(Hidden, AStageKeepsItsVerdictsAddressWhereverItGoes) {
  const v2::DesiredLRP stored = Read(Stages(Stage(1, "one") + "," + Stage(2, "two"))).app;
  const auto urls = [&](const std::string& stages) {
    AppFile file = Read(Stages(stages));
    const Status kept = KeepHidden(&stored, file.app);
    std::string all = kept ? "" : kept.error().message;
    for (const auto& stage : file.app.strategy().stages()) all += stage.verdict().url() + " ";
    return kept ? all : kept.error().message;
  };
  EXPECT_EQ(urls(Stage(1, "") + "," + Stage(2, "")), "one two ");
  EXPECT_EQ(urls(Stage(2, "") + "," + Stage(1, "")), "two one ");
  EXPECT_EQ(urls(Stage(2, "")), "two ");
  EXPECT_EQ(urls(Stage(1, "") + "," + Stage(3, "")), "one two ") << "the second one was changed";
  EXPECT_EQ(urls(Stage(7, "new") + "," + Stage(1, "") + "," + Stage(2, "")), "new one two ");
}

TEST(Hidden, OfTwoThatLookAlikeNoneIsTaken) {
  const v2::DesiredLRP stored = Read(Stages(Stage(1, "one") + "," + Stage(1, "two"))).app;
  AppFile file = Read(Stages(Stage(1, "")));
  EXPECT_THAT(KeepHidden(&stored, file.app).error().message, HasSubstr("strategy.stages[0]: a hidden value is left out"));
}

}  // namespace
}  // namespace baton::cli
