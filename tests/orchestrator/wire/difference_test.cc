#include "orchestrator/wire/differences/difference.h"

#include <gmock/gmock.h>
#include <google/protobuf/unknown_field_set.h>
#include <gtest/gtest.h>

#include "tests/orchestrator/wire/full_definition.h"

namespace baton::wire {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "FIELD BEFORE -> AFTER" of each.
template <class Change>
std::vector<std::string> Changed(const Change& change) {
  const v2::DesiredLRP before = FullApp();
  v2::DesiredLRP after = before;
  change(after);
  std::vector<std::string> lines;
  for (const Difference& d : Differences(before, after)) lines.push_back(d.field + " " + d.before + " -> " + d.after);
  return lines;
}

TEST(Differences, NumbersThatBecomeZeroAreZeroAndTextsAreGone) {
  EXPECT_THAT(Changed([](v2::DesiredLRP& app) { app.set_instances(0); }), ElementsAre("instances 2 -> 0"));
  EXPECT_THAT(Changed([](v2::DesiredLRP& app) { app.set_instances(4); }), ElementsAre("instances 2 -> 4"));
  EXPECT_THAT(Changed([](v2::DesiredLRP& app) { app.clear_annotation(); }),
              ElementsAre("annotation <redacted> -> "));
  EXPECT_THAT(Changed([](v2::DesiredLRP& app) { app.mutable_strategy()->set_on_failure(v2::Strategy::HOLD); }),
              ElementsAre("strategy.on_failure ROLLBACK -> HOLD"));
  EXPECT_THAT(Changed([](v2::DesiredLRP& app) { app.mutable_strategy()->clear_bake_time_ms(); }),
              ElementsAre("strategy.bake_time_ms 10000 -> "));
  EXPECT_THAT(Changed([](v2::DesiredLRP&) {}), IsEmpty());
}

TEST(Differences, WhatIsInAMapIsCalledByItsKey) {
  EXPECT_THAT(Changed([](v2::DesiredLRP& app) { (*app.mutable_metric_tags())["team"].set_static_("other"); }),
              ElementsAre("metric_tags.team.static \"demo\" -> \"other\""));
  EXPECT_THAT(Changed([](v2::DesiredLRP& app) { (*app.mutable_metric_tags())["new"].set_static_("a"); }),
              ElementsAre("metric_tags.new  -> {static: \"a\"}"));
  EXPECT_THAT(Changed([](v2::DesiredLRP& app) { app.mutable_metric_tags()->erase("team"); }),
              ElementsAre("metric_tags.team {static: \"demo\"} -> "));
}

TEST(Differences, ARoutersJsonIsShownAsItIs) {
  const auto set = [](const char* json) {
    return [json](v2::DesiredLRP& app) { (*app.mutable_routes()->mutable_routes())["cf-router"] = json; };
  };
  EXPECT_THAT(Changed(set("[]")), ElementsAre("routes.cf-router [{\"hostnames\":[\"full.example\"],\"port\":8080},"
                                              "{\"hostnames\":[\"admin.example\",\"metrics.example\"],\"port\":9090}] -> []"));
  EXPECT_THAT(Changed([](v2::DesiredLRP& app) { (*app.mutable_routes()->mutable_routes())["tcp-router"] = "\xff"; }),
              ElementsAre("routes.tcp-router  -> ?"));
}

// A plan printed the private key that "diego-ssh" keeps among an app's routes.
TEST(Differences, WhatAnotherRouterKeepsIsNamedAndNeverShown) {
  v2::DesiredLRP before = FullApp(), after = before;
  auto& routes = *before.mutable_routes()->mutable_routes();
  routes["diego-ssh"] = R"({"private_key":"k3y"})";
  routes["gone"] = "k3y";
  auto& then = *after.mutable_routes()->mutable_routes();
  then["diego-ssh"] = R"({"private_key":"k3y2"})";
  then["new"] = "k3y";
  std::vector<std::string> lines;
  for (const Difference& d : Differences(before, after)) lines.push_back(d.field + " " + d.before + " -> " + d.after);
  EXPECT_THAT(lines, ElementsAre("routes.diego-ssh <redacted> -> <redacted>", "routes.gone <redacted> -> ",
                                 "routes.new  -> <redacted>"));
}

TEST(Differences, RoutesThatComeAsAWholeHideTheSame) {
  v2::DesiredLRP before, after;
  auto& routes = *after.mutable_routes()->mutable_routes();
  routes["diego-ssh"] = R"({"private_key":"k3y"})";
  routes["cf-router"] = "[]";
  routes["internal-router"] = "[{\"hostname\":\"a.internal\"}]";
  const auto differences = Differences(before, after);
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].after,
            "{cf-router: [], diego-ssh: <redacted>, internal-router: [{\"hostname\":\"a.internal\"}]}");
}

TEST(Differences, ASecretIsNamedAndNeverShown) {
  EXPECT_THAT(Changed([](v2::DesiredLRP& app) { app.set_image_password("n3w"); }),
              ElementsAre("image_password <redacted> -> <redacted>"));
  EXPECT_THAT(Changed([](v2::DesiredLRP& app) {
                auto& variable = *app.mutable_definition()->mutable_run_info()->add_environment_variables();
                variable.set_name("NEW"), variable.set_value("n3w");
              }),
              ElementsAre("definition.run_info.environment_variables[3]  -> {name: \"NEW\" value: \"<redacted>\"}"));
}

// Which argument differs is said by its place, and of which action.
TEST(Differences, AnArgumentIsNamedByItsPlaceAndNeverShown) {
  v2::DesiredLRP before, after;
  auto& run = *before.mutable_definition()->mutable_run_info()->mutable_action()->mutable_run_action();
  for (const char* one : {"--port", "8080", "--token=s3cr3t"}) run.add_args(one);
  after = before;
  auto& then = *after.mutable_definition()->mutable_run_info()->mutable_action()->mutable_run_action();
  then.set_args(2, "--token=n3w");
  then.add_args("-v");
  std::vector<std::string> lines;
  for (const Difference& d : Differences(before, after)) lines.push_back(d.field + " " + d.before + " -> " + d.after);
  EXPECT_THAT(
      lines, ::testing::UnorderedElementsAre("definition.run_info.action.run_action.args[3]  -> <redacted>",
                                             "definition.run_info.action.run_action.args[2] <redacted> -> <redacted>"));
}

// One that a newer client had sent was stored, and each plan of the app ended batond.
TEST(Differences, AFieldOfALaterVersionIsNamedByItsNumber) {
  EXPECT_THAT(Changed([](v2::DesiredLRP& app) {
                auto& run_info = *app.mutable_definition()->mutable_run_info();
                run_info.GetReflection()->MutableUnknownFields(&run_info)->AddVarint(4711, 1);
              }),
              ElementsAre("unknown field 4711 <redacted> -> <redacted>"));
}

}  // namespace
}  // namespace baton::wire
