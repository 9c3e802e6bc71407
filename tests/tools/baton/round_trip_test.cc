// `baton describe app X -o yaml | baton apply -f -` changes nothing, whatever X is.
#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "orchestrator/wire/secrets/redact.h"
#include "tests/orchestrator/wire/full_definition.h"
#include "tests/tools/baton/any_app.h"
#include "tools/baton/files/app_file.h"
#include "tools/baton/files/app_text.h"
#include "tools/baton/files/hidden.h"
#include "tools/baton/files/stored_app.h"
#include "tools/baton/yaml/proto_json.h"

namespace baton::cli {
namespace {

using google::protobuf::util::MessageDifferencer;
using ::testing::HasSubstr;
using ::testing::Not;

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

AppFile ReadFile(const std::string& text) {
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
  AppFile file = ReadFile(Replaced(text, "instances: 2", "instances: 4"));
  EXPECT_TRUE(KeepHidden(&app, file.app).ok());
  v2::DesiredLRP wanted = Sayable(app);
  wanted.set_instances(4);
  EXPECT_TRUE(MessageDifferencer::Equals(file.app, wanted));
  EXPECT_FALSE(IsAsStored(file, app));
}

TEST(RoundTrip, AUrlWithATokenIsExportedAsNullAndStaysAsItIsStored) {
  v2::DesiredLRP app = Full();
  v1::CachedDependency& hidden = *app.mutable_definition()->mutable_run_info()->add_cached_dependencies();
  hidden.set_from("https://blobs.example/a.tgz?signature=s3cr3t");
  hidden.set_to("/a");
  v1::CachedDependency& plain = *app.mutable_definition()->mutable_run_info()->add_cached_dependencies();
  plain.set_from("https://blobs.example/b.tgz");
  plain.set_to("/b");
  const std::string text = Exported(app);
  EXPECT_THAT(text, Not(HasSubstr("s3cr3t")));
  EXPECT_THAT(text, ::testing::AllOf(HasSubstr("from: null"), HasSubstr("from: https://blobs.example/b.tgz")));
  AppFile file = ReadFile(text);
  ASSERT_TRUE(KeepHidden(&app, file.app).ok());
  EXPECT_TRUE(MessageDifferencer::Equals(file.app, Sayable(app)));
  file = ReadFile(text);
  EXPECT_THAT(KeepHidden(nullptr, file.app).error().message, HasSubstr("nothing is stored that could be kept"));
}

TEST(RoundTrip, NumbersOfZeroAndEmptyListsAreThere) {
  v2::DesiredLRP app = Full();
  app.set_instances(0);
  app.mutable_definition()->clear_placement_tags();
  app.mutable_definition()->mutable_resource()->set_memory_mb(0);
  EXPECT_THAT(Exported(app),
              AllOf(HasSubstr("\ninstances: 0\n"), HasSubstr("placement_tags: []\n"), HasSubstr("memory_mb: 0\n")));
}

// "diego-ssh" keeps a private key and its fingerprint there.
TEST(RoundTrip, WhatOtherRoutersKeepIsExportedAsNullAndStaysAsItIsStored) {
  v2::DesiredLRP app = Full();
  auto& routes = *app.mutable_routes()->mutable_routes();
  routes["diego-ssh"] = R"({"container_port":2222,"private_key":"k3y"})";
  routes["other"] = "null";
  const std::string text = Exported(app);
  EXPECT_THAT(text, Not(HasSubstr("k3y")));
  EXPECT_THAT(text, HasSubstr("  diego-ssh: null\n  other: null\n"));
  EXPECT_THAT(JsonOf(app).dump(), ::testing::AllOf(Not(HasSubstr("k3y")), HasSubstr(R"("diego-ssh":"<redacted>")")));
  const auto kept = [&](const std::string& changed, const v2::DesiredLRP* stored) {
    AppFile file = ReadFile(changed);
    const Status status = KeepHidden(stored, file.app);
    if (!status) return status.error().message;
    std::string all;
    for (const auto& [router, payload] : std::map(file.app.routes().routes().begin(), file.app.routes().routes().end())) {
      if (router != "cf-router") all += router + "=" + payload + " ";
    }
    return all;
  };
  EXPECT_EQ(kept(text, &app), R"(diego-ssh={"container_port":2222,"private_key":"k3y"} other=null )");
  EXPECT_EQ(kept(Replaced(text, "diego-ssh: null", "diego-ssh: {container_port: 22}"), &app),
            R"(diego-ssh={"container_port":22} other=null )");
  EXPECT_EQ(kept(Replaced(text, "  diego-ssh: null\n", ""), &app), "other=null ") << "as a variable that is taken out";
  routes.erase("diego-ssh");
  EXPECT_EQ(kept(text, &app), "routes.diego-ssh: nothing is stored that could be kept: give it");
  EXPECT_THAT(kept(text, nullptr), HasSubstr("nothing is stored that could be kept"));
  const auto redacted = ReadAppFile("a", Replaced(text, "diego-ssh: null", "diego-ssh: <redacted>"), {});
  ASSERT_FALSE(redacted.ok());
  EXPECT_THAT(redacted.error().message, HasSubstr("routes.diego-ssh: these routes were hidden when they were exported: "
                                                  "write null to keep what is stored, or give them"));
}

TEST(RoundTrip, AnEmptySecretIsToldFromOneThatNobodyGave) {
  v2::DesiredLRP app = Full();
  app.mutable_definition()->mutable_run_info()->mutable_environment_variables(0)->clear_value();
  const std::string text = Exported(app);
  EXPECT_THAT(text, HasSubstr("value: \"\"\n"));
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
  const auto annotation = ReadAppFile("a", "annotation: <redacted>\n" + Small("      value: x\n"), {});
  EXPECT_THAT(annotation.error().message, HasSubstr("annotation: this value was hidden"));
}

TEST(Hidden, ASecretThatIsLeftOutIsTheStoredOneAndOneThatIsGivenIsNot) {
  v2::DesiredLRP stored = ReadFile(Small("      value: s3cr3t\n")).app;
  const auto value_of = [&](const std::string& secret) {
    AppFile file = ReadFile(Small(secret));
    const Status kept = KeepHidden(&stored, file.app);
    return kept ? file.app.definition().run_info().environment_variables(0).value() : kept.error().message;
  };
  EXPECT_EQ(value_of(""), "s3cr3t");
  EXPECT_EQ(value_of("      value: null\n"), "s3cr3t");
  EXPECT_EQ(value_of("      value: ''\n"), "");
  EXPECT_EQ(value_of("      value: other\n"), "other");
  stored.mutable_definition()->mutable_run_info()->clear_environment_variables();
  // It became an empty one.
  EXPECT_EQ(value_of(""),
            "definition.run_info.environment_variables[0].value: it is left out, and nothing is stored that could be "
            "kept: give it, or '' for an empty one");
  EXPECT_EQ(value_of("      value: null\n"),
            "definition.run_info.environment_variables[0].value: nothing is stored that could be kept: give it");
}

std::string Running(const std::string& args, const std::string& more = "") {
  return "guid: a\ndomain: d\n" + more + "definition:\n  root_fs: 'host:'\n  action: {run: {path: /bin/x, args: " + args + "}}\n";
}

TEST(Hidden, AnArgumentThatIsNullIsTheStoredOneOfItsPlace) {
  const v2::DesiredLRP stored = ReadFile(Running("[--port, '8080', --token=s3cr3t]")).app;
  const auto args = [&](const std::string& text, const v2::DesiredLRP* from) {
    AppFile file = ReadFile(text);
    const Status kept = KeepHidden(from, file.app);
    if (!kept) return kept.error().message;
    std::string all;
    for (const auto& one : file.app.definition().run_info().action().run_action().args()) all += one + " ";
    return all;
  };
  EXPECT_EQ(args(Running("[null, null, null]"), &stored), "--port 8080 --token=s3cr3t ");
  EXPECT_EQ(args(Running("null"), &stored), "--port 8080 --token=s3cr3t ");
  EXPECT_EQ(args(Running("[null, '9090', null]"), &stored), "--port 9090 --token=s3cr3t ");
  EXPECT_EQ(args(Replaced(Running("[]"), "{run: {path: /bin/x, args: []}}", "{command: [/bin/x, null, '1', null]}"), &stored),
            "--port 1 --token=s3cr3t ");
  EXPECT_EQ(args(Running("[]"), &stored), "") << "they are taken out";
  EXPECT_EQ(args(Replaced(Running("[]"), ", args: []", ""), &stored), "") << "a file that people write has all that it wants";
  // Which of three the two are nobody can tell.
  EXPECT_EQ(args(Running("[null, null]"), &stored),
            "definition.run_info.action.run_action.args: hidden values are kept in a list that is as long as the stored one, of 3: "
            "give all of them, or null for the whole list as it is stored");
  EXPECT_EQ(args(Running("[null]"), nullptr), "definition.run_info.action.run_action.args: nothing is stored that could be kept: give it");
  const auto redacted = ReadAppFile("a", Running("[<redacted>]"), {});
  EXPECT_THAT(redacted.error().message, HasSubstr("args[0]: this value was hidden"));
}

TEST(Hidden, AnAnnotationThatIsNullIsTheStoredOneAndOneThatIsLeftOutIsNone) {
  const v2::DesiredLRP stored = ReadFile(Running("[]", "annotation: book\n")).app;
  const auto annotation = [&](const std::string& line, const v2::DesiredLRP* from) {
    AppFile file = ReadFile(Running("[]", line));
    const Status kept = KeepHidden(from, file.app);
    return kept ? file.app.annotation() : kept.error().message;
  };
  EXPECT_EQ(annotation("annotation: null\n", &stored), "book");
  EXPECT_EQ(annotation("annotation: other\n", &stored), "other");
  EXPECT_EQ(annotation("", &stored), "");
  EXPECT_EQ(annotation("annotation: null\n", nullptr), "annotation: nothing is stored that could be kept: give it");
}

// Of two that differ in their arguments alone a variable goes by these, where the file gives them.
TEST(Hidden, AVariableGoesWithTheArgumentsThatAreGiven) {
  const auto app = [](const std::string& first, const std::string& second) {
    return ReadFile("guid: a\ndomain: d\ndefinition:\n  root_fs: 'host:'\n  action: {run: {path: /bin/x}}\n  sidecars:\n    - " + first +
                "\n    - " + second + "\n");
  };
  const auto run = [](const std::string& arg, const std::string& secret) {
    return "action: {run: {path: /bin/sh, args: [" + arg + "], env: [{name: S, value: " + secret + "}]}}";
  };
  const v2::DesiredLRP stored = app(run("one", "1st"), run("two", "2nd")).app;
  const auto secrets = [&](AppFile file) {
    const Status kept = KeepHidden(&stored, file.app);
    std::string all = kept ? "" : kept.error().message;
    for (const auto& sidecar : file.app.definition().run_info().sidecars()) all += sidecar.action().run_action().env(0).value() + " ";
    return all;
  };
  EXPECT_EQ(secrets(app(run("two", "null"), run("one", "null"))), "2nd 1st ");
  EXPECT_EQ(secrets(app(run("null", "null"), run("null", "null"))), "1st 2nd ");
  EXPECT_EQ(secrets(app(run("one", "null"), run("changed", "null"))), "1st 2nd ");
}

std::string Volume(const std::string& directory, const std::string& device) {
  return "    - {driver: nfs, mode: rw, container_dir: " + directory + ", " + device + "}\n";
}

TEST(Hidden, AVolumesConfigurationGoesWithItsDevice) {
  const std::string small = Small("      value: x\n") + "  volume_mounts:\n";
  const v2::DesiredLRP stored =
      ReadFile(small + Volume("/a", "shared: {volume_id: one, mount_config: 1st}") +
           Volume("/b", "shared: {volume_id: two, mount_config: 2nd}") +
           Volume("/c", "dedicated: {mounter_id: m, mount_config: 3rd, device_config: 4th}"))
          .app;
  const auto configs = [&](const v2::DesiredLRP* from, const std::string& volumes) {
    AppFile file = ReadFile(small + volumes);
    const Status kept = KeepHidden(from, file.app);
    if (!kept) return kept.error().message;
    std::string all;
    for (const auto& volume : file.app.definition().run_info().volume_mounts()) {
      all += volume.has_shared() ? volume.shared().mount_config() + " "
                                 : volume.dedicated().mount_config() + "+" + volume.dedicated().device_config() + " ";
    }
    return all;
  };
  // They went by the directory: of two that changed places each got the other's.
  EXPECT_EQ(configs(&stored, Volume("/a", "shared: {volume_id: two}") + Volume("/b", "shared: {volume_id: one}")),
            "2nd 1st ");
  EXPECT_EQ(configs(&stored, Volume("/x", "dedicated: {mounter_id: m}") +
                                 Volume("/y", "shared: {volume_id: one, mount_config: null}")),
            "3rd+4th 1st ");
  EXPECT_EQ(configs(&stored, Volume("/a", "shared: {volume_id: three, mount_config: null}")),
            "definition.run_info.volume_mounts[0].shared.mount_config: nothing is stored that could be kept: give it");
  EXPECT_THAT(configs(&stored, Volume("/a", "shared: {volume_id: three}")), HasSubstr("give it, or '' for an empty one"));
  EXPECT_EQ(configs(&stored, Volume("/a", "shared: {volume_id: three, mount_config: ''}")), " ");
  EXPECT_EQ(configs(nullptr, Volume("/a", "shared: {volume_id: three}")), " ") << "many volumes need none";
}

TEST(Hidden, APasswordIsKeptForItsUserOnly) {
  v2::DesiredLRP stored = ReadFile("image_username: u\nimage_password: p\n" + Small("")).app;
  AppFile same = ReadFile("image_username: u\n" + Small(""));
  EXPECT_TRUE(KeepHidden(&stored, same.app).ok());
  EXPECT_EQ(same.app.image_password(), "p");
  AppFile other = ReadFile("image_username: v\n" + Small(""));
  EXPECT_THAT(KeepHidden(&stored, other.app).error().message, HasSubstr("image_password"));
  AppFile none = ReadFile(Small(""));
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
  const v2::DesiredLRP stored = ReadFile(Stages(Stage(1, "one") + "," + Stage(2, "two"))).app;
  const auto urls = [&](const std::string& stages) {
    AppFile file = ReadFile(Stages(stages));
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
  const v2::DesiredLRP stored = ReadFile(Stages(Stage(1, "one") + "," + Stage(1, "two"))).app;
  AppFile file = ReadFile(Stages(Stage(1, "")));
  EXPECT_THAT(KeepHidden(&stored, file.app).error().message, HasSubstr("strategy.stages[0]: a hidden value is left out"));
}

}  // namespace
}  // namespace baton::cli
