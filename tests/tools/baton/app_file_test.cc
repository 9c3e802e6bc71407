#include "tools/baton/files/app_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace baton::cli {
namespace {

using ::testing::HasSubstr;

std::string WhyNot(const std::string& text, const Variables& variables = {}) {
  const auto read = ReadAppFile("app.yaml", text, variables);
  return read ? "it was taken" : read.error().message;
}

v2::DesiredLRP Read(const std::string& text, const Variables& variables = {}) {
  const auto read = ReadAppFile("app.yaml", text, variables);
  EXPECT_TRUE(read.ok()) << (read ? "" : read.error().message);
  return read && !read->empty() ? read->front().app : v2::DesiredLRP();
}

// An app that is in order, with more lines for its definition (indented by two).
std::string App(const std::string& definition = "", const std::string& top = "") {
  return "guid: a\ndomain: d\n" + top + "definition:\n  root_fs: 'host:'\n  action: {command: /bin/x}\n" + definition;
}

struct FileMistake {
  std::string text;
  std::string sentence;
};

TEST(AppFile, EachMistakeHasItsPlaceAndWhatIsExpected) {
  const std::vector<FileMistake> mistakes = {
      {"", "app.yaml: holds no app"},
      {"- a", "app.yaml:1:1: expected a map, found a list"},
      {"guid: [", "app.yaml:1:1: malformed YAML"},
      {"guid: a\nroutes: [{hostname: x, port: ${P}}]",
       "app.yaml:2:31: ${P} within { } or [ ] has to be quoted: \"${P}\""},
      {"guid: a\nroutes:\n- {port: 1${P}, hostname: x}", "app.yaml:3:12: ${P} within { } or [ ] has to be quoted"},
      {"domain: d", "app.yaml:1:1: guid is missing"},
      {"guid: a", "app.yaml:1:1: domain is missing"},
      {"guid: a\ndomain: d", "definition is missing"},
      {"guid: a\nguid: b", "app.yaml:2:1: guid: the key is given a second time"},
      {App("", "instnces: 3\n"), "app.yaml:3:1: instnces: unknown key; did you mean instances?"},
      {App("", "instances: many\n"), "app.yaml:3:12: instances: expected a whole number"},
      {App("", "instances: 99999999999\n"), "found '99999999999'"},
      {App("", "instances: 1.5\n"), "found '1.5'"},
      {App("", "routes: [{hostname: h, port: 70000}]\n"), "routes[0].port"},
      {App("", "routes: [{hostname: h}]\n"), "routes[0]"},
      {App("", "strategy: {mode: SOMEHOW}\n"), "strategy.mode: expected one of ROLLING, RECREATE, found 'SOMEHOW'"},
      {App("", "strategy: {max_surge: lots}\n"), "strategy.max_surge: expected a number, or a percentage as 25%"},
      {App("", "strategy: {min_healthy_time: 10}\n"), "strategy.min_healthy_time: expected a duration as 10s"},
      {App("", "modification_tag: {}\n"), "is set by the server: leave it out"},
      {App("", "active_definition: v1\n"), "app.yaml:3:1: active_definition: is set by the server: leave it out"},
      {App("  memory: 256\n"), "app.yaml:6:11: definition.memory: expected a size as 256MiB or 2GiB, found '256'"},
      {App("  memory: 9000000TiB\n"), "definition.memory: is too great"},
      {App("  memory: 1MiB\n  memory_mb: 1\n"), "is given already, under another name"},
      {App("  privileged: yes\n"), "expected true or false, found 'yes'"},
      {App("  ports: 8080\n"), "definition.ports: expected a list, found '8080'"},
      {App("  env: [A]\n"), "definition.env[0]: expected a map"},
      {App("  image_password: x\n"), "belongs to the app, not to a version of it"},
      {App("  setup: {run: {path: /a}, try: {action: {command: b}}}\n"), "definition.setup: takes exactly one of"},
      {App("  setup: {}\n"), "definition.setup: takes exactly one of"},
      {App("  setup: {command: []}\n"), "found an empty list"},
      {App("  setup: {run: {path: /a, command: b}}\n"), "a path is given too"},
      {App("  cpu_weight: ${WEIGHT}\n"), "definition.cpu_weight: ${WEIGHT} is not set: give --set WEIGHT=VALUE"},
      {App("  log_source: ${\n"), "is no variable"},
  };
  for (const FileMistake& mistake : mistakes)
    EXPECT_THAT(WhyNot(mistake.text), HasSubstr(mistake.sentence)) << mistake.text;
}

TEST(AppFile, ShortFormsMeanTheSameAsTheApisOwn) {
  const auto brief =
      Read(App("  identifier: v1\n  memory: 1GiB\n  start_timeout: 15s\n  env: {A: b}\n"
               "  check: {readiness: [{http: {port: 1, path: /}}]}\n  setup: {run: {path: /s}}\n"));
  const auto full = Read(
      "process_guid: a\ndomain: d\ndefinition:\n  definition_identifier: v1\n"
      "  resource: {root_fs: 'host:', memory_mb: 1024}\n  run_info:\n    start_timeout_ms: 15000\n"
      "    environment_variables: [{name: A, value: b}]\n"
      "    check_definition: {readiness_checks: [{http_check: {port: 1, path: /}}]}\n"
      "    setup: {run_action: {path: /s}}\n    action: {run_action: {path: /bin/sh, args: [-c, /bin/x]}}\n");
  EXPECT_EQ(brief.DebugString(), full.DebugString());
}

TEST(AppFile, CommandIsALineForTheShellOrAListOfWords) {
  const auto line = Read(App("  setup: {command: echo a}\n")).definition().run_info().setup().run_action();
  EXPECT_EQ(line.path(), "/bin/sh");
  EXPECT_EQ(line.args(1), "echo a");
  const auto words = Read(App("  setup: {command: [/bin/echo, 'a b']}\n")).definition().run_info().setup().run_action();
  EXPECT_EQ(words.path(), "/bin/echo");
  EXPECT_EQ(words.args(0), "a b");
}

TEST(AppFile, InstancesLeftOutAreLeftToWhoScales) {
  EXPECT_FALSE(ReadAppFile("f", App(), {})->front().gives_instances);
  const auto given = ReadAppFile("f", App("", "instances: 0\n"), {});
  EXPECT_TRUE(given->front().gives_instances);
  EXPECT_EQ(given->front().app.instances(), 0);
}

TEST(AppFile, RoutesBecomeWhatCloudFoundrysRoutersRead) {
  const auto app = Read(App("", "routes: [{hostname: a.example, port: 80}, {hostnames: [b, c], port: 81}]\n"));
  EXPECT_EQ(app.routes().routes().at("cf-router"),
            R"([{"hostnames":["a.example"],"port":80},{"hostnames":["b","c"],"port":81}])");
}

// Routes are JSON. Found by fuzzing: it ended the program.
TEST(AppFile, RoutesThatAreNoUtf8AreNamedWithTheirPlace) {
  EXPECT_THAT(WhyNot(App("", "routes: {mine: {a: !!binary 9w==}}\n")), HasSubstr("routes.mine.a: this is not valid UTF-8"));
  EXPECT_THAT(WhyNot(App("", "routes: {mine: {!!binary 9w==: a}}\n")), HasSubstr("this is not valid UTF-8"));
  EXPECT_THAT(WhyNot(App("", "routes: [{hostname: !!binary 9w==, port: 80}]\n")), HasSubstr("hostname: this is not valid UTF-8"));
}

TEST(AppFile, TextIsTakenAsItIsWritten) {
  const auto app = Read(App("  env: {A: 1.10, B: 007, C: yes, D: ''}\n"));
  const auto& env = app.definition().run_info().environment_variables();
  ASSERT_EQ(env.size(), 4);
  EXPECT_EQ(env[0].value(), "1.10");
  EXPECT_EQ(env[1].value(), "007");
  EXPECT_EQ(env[2].value(), "yes");
  EXPECT_EQ(env[3].value(), "");
  EXPECT_THAT(WhyNot(App("  log_source:\n")), HasSubstr("definition.log_source: expected a text, found nothing"));
}

TEST(AppFile, VariablesAreSubstitutedInValuesOnce) {
  const auto app = Read(App("  identifier: v${N}-$5-$${HOME}\n"), {{"N", "${N}"}});
  EXPECT_EQ(app.definition().definition_identifier(), "v${N}-$5-${HOME}");
}

TEST(AppFile, SeveralAppsAreSeveralDocuments) {
  const auto read = ReadAppFile("f", App() + "---\n" + App(), {});
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[1].place, "f:7:1");
}

// It took all memory: found by fuzzing.
TEST(AppFile, ALineThatBeginsWithACommaIsNoDocumentWithoutEnd) {
  EXPECT_EQ(WhyNot("  guid: a\n, domain: d\n"), "app.yaml:2:1: malformed YAML: nothing can begin here");
  EXPECT_THAT(WhyNot(App() + "---\n  guid: a\n, domain: d\n"), HasSubstr("app.yaml:8:1: "));
}

TEST(AppFile, AnAliasInItselfEndsAndATreeOfAliasesIsNotAnExplosion) {
  EXPECT_THAT(WhyNot(App("  setup: &s {serial: [*s]}\n")), HasSubstr("app.yaml:"));
}

std::string Example(const std::string& name) {
  std::ifstream file(std::string(BATON_EXAMPLES) + "/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(AppFile, TheExamplesAreInOrder) {
  const auto hello = Read(Example("hello.yaml"), {{"HELLO", "/bin/hello"}, {"VERSION", "v7"}});
  EXPECT_EQ(hello.definition().definition_identifier(), "v7");
  EXPECT_EQ(hello.definition().run_info().action().run_action().path(), "/bin/hello");
  const auto full = Read(Example("full.yaml"), {{"IMAGE_PASSWORD", "secret"}});
  EXPECT_EQ(full.image_password(), "secret");
  EXPECT_EQ(full.definition().resource().disk_mb(), 1024);
  EXPECT_EQ(full.strategy().max_surge().percent(), 25);
}

}  // namespace
}  // namespace baton::cli
