// Apps, definitions, instances and rolls by the command line.
#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>

#include "tests/tools/baton/program.h"
#include "tools/words/text.h"

namespace baton::cli {
namespace {

TEST_F(Program, AppliesCreatesUpdatesAndSaysWhenNothingChanges) {
  RunVersion1();
  EXPECT_EQ(Apply("v1"), kDone);
  EXPECT_THAT(out, HasSubstr("app shop unchanged"));
  EXPECT_EQ(Apply("v2"), kDone);
  EXPECT_THAT(out, HasSubstr("app shop updated, roll "));
  RunNext();
  EXPECT_TRUE(StateBecomes("COMPLETED"));
  EXPECT_EQ(Do({"rollout", "history", "shop"}), kDone);
  EXPECT_THAT(out, AllOf(HasSubstr("v1    v2"), HasSubstr("tester")));
}

TEST_F(Program, ApplyMeansItWhereAFileNamesAnEarlierVersion) {
  RunVersion1();
  ASSERT_EQ(Apply("v2"), kDone) << err;
  EXPECT_EQ(Apply("v1"), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("app shop updated"), HasSubstr("back to v1")));
}

TEST_F(Program, EveryListIsATableJsonAndYaml) {
  RunVersion1();
  for (const std::string kind : {"apps", "instances", "cells", "rolls", "definitions"}) {
    EXPECT_EQ(Do({"get", kind}), kDone) << err;
    EXPECT_THAT(out, Not(HasSubstr("s3cr3t")));
    const std::string narrow = out;
    EXPECT_EQ(Do({"get", kind, "-o", "wide"}), kDone) << err;
    EXPECT_GE(out.find('\n'), narrow.find('\n')) << kind;
    EXPECT_EQ(Do({"get", kind, "-o", "json"}), kDone) << err;
    EXPECT_TRUE(nlohmann::json::accept(out)) << out;
    EXPECT_THAT(out, Not(HasSubstr("s3cr3t")));
    EXPECT_EQ(Do({"get", kind, "-o", "yaml"}), kDone) << err;
    EXPECT_NO_THROW(YAML::Load(out)) << out;
  }
  EXPECT_EQ(Do({"get", "apps"}), kDone);
  EXPECT_THAT(out, HasSubstr("shop  demo    1/1    v1"));
}

TEST_F(Program, TellsCompletionTheNamesThatThereAre) {
  RunVersion1();
  for (const auto& [kind, name] : std::vector<std::pair<std::string, std::string>>{
           {"app", "shop\n"}, {"cell", "cell-1\n"}, {"roll", ""}, {"nonsense", ""}}) {
    EXPECT_EQ(Do({"__names", kind}), kDone) << kind;
    EXPECT_EQ(out, name) << kind;
    EXPECT_EQ(err, "") << kind;
  }
  ASSERT_EQ(Apply("v2"), kDone);
  EXPECT_EQ(Do({"__names", "roll"}), kDone);
  EXPECT_TRUE(IsUuid(out.substr(0, out.find('\n')))) << out;
}

TEST_F(Program, DescribesEachKindOfThing) {
  RunVersion1();
  const std::vector<std::pair<std::vector<std::string>, std::string>> things = {
      {{"app", "shop"}, "Active definition:   v1"}, {{"instance", "shop/0"}, "Cell:              cell-1"},
      {{"cell", "cell-1"}, "Instances:"},           {{"definition", "shop/v1"}, "path: /bin/v1"},
      {{"roll", "shop"}, "first start of v1"},
  };
  for (const auto& [words, sentence] : things) {
    EXPECT_EQ(Do({"describe", words[0], words[1]}), kDone) << err;
    EXPECT_THAT(out, AllOf(HasSubstr(sentence), Not(HasSubstr("s3cr3t"))));
  }
}

TEST_F(Program, ARouteThatWasAcceptedAsUnroutableIsNamed) {
  const auto app = [](const std::string& version, const std::string& ports) {
    std::string file = App(version, "routes: [{hostname: shop.example, port: 8080}]\n");
    return file.replace(file.find("[8080]"), 6, ports);
  };
  EXPECT_EQ(Do({"apply", "-f", "-"}, app("v1", "[8080]")), kDone) << err;
  RunNext();
  EXPECT_TRUE(StateBecomes("COMPLETED"));
  EXPECT_EQ(Do({"describe", "app", "shop"}), kDone) << err;
  EXPECT_THAT(out, Not(HasSubstr("Unroutable")));
  EXPECT_EQ(Do({"apply", "-f", "-"}, app("v2", "[9090, 2222]")), kFailed);
  EXPECT_EQ(Do({"apply", "-f", "-", "--accept-unroutable"}, app("v2", "[9090, 2222]")), kDone) << err;
  EXPECT_EQ(Do({"describe", "app", "shop"}), kDone) << err;
  EXPECT_THAT(out, ::testing::ContainsRegex("Unroutable: +shop.example: v2 has no port for it"));
  EXPECT_EQ(Do({"explain", "shop"}), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("v2 has no port for shop.example (1 of 1 slots serve it)"),
                         HasSubstr("route.unroutable")));
}

TEST_F(Program, WhatIsNotThereIsOne) {
  RunVersion1();
  const std::vector<std::vector<std::string>> asks = {
      {"get", "apps", "nope"},
      {"get", "cells", "nope"},
      {"describe", "app", "nope"},
      {"describe", "instance", "nope/0"},
      {"describe", "definition", "shop/nope"},
      {"rollout", "status", "nope"},
      {"rollout", "history", "nope"},
      {"rollout", "pause", "shop"},
      {"rollout", "undo", "shop", "--to", "nope"},
      {"scale", "nope", "1"},
      {"delete", "nope"},
      {"retire", "nope"},
      {"cell", "drain", "nope"},
  };
  for (const auto& words : asks) {
    EXPECT_EQ(Do(words), kFailed) << ::testing::PrintToString(words) << out;
    EXPECT_THAT(err, AllOf(::testing::StartsWith("baton: "), ::testing::AnyOf(HasSubstr("nope"), HasSubstr("shop"))));
  }
}

TEST_F(Program, APlanIsSeenAndThenDoneExactly) {
  RunVersion1();
  const std::string v2 = App("v2");
  EXPECT_EQ(Do({"plan", "-f", "-"}, v2), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("app shop would roll from v1 to v2"), HasSubstr("definition.definition_identifier"),
                         HasSubstr("surged"), Not(HasSubstr("s3cr3t"))));
  const std::size_t at = out.find("p1-");
  ASSERT_NE(at, std::string::npos) << out;
  const std::string token = out.substr(at, out.find('\n', at) - at);
  EXPECT_EQ(Do({"plan", "-f", "-", "-o", "json"}, v2), kDone) << err;
  EXPECT_TRUE(nlohmann::json::accept(out)) << out;
  EXPECT_EQ(Do({"apply", "-f", "-", "--plan", token}, App("v3")), kFailed);
  EXPECT_THAT(err, HasSubstr("plan again"));
  EXPECT_EQ(Do({"apply", "-f", "-", "--plan", token}, v2), kDone) << err;
  EXPECT_THAT(out, HasSubstr("opened"));
  EXPECT_EQ(Do({"apply", "-f", "-", "--plan", token}, v2), kFailed) << "a roll is open by now";
  EXPECT_EQ(Do({"apply", "-f", "-", "--port-alias", "8080"}, v2), kUsage);
  EXPECT_THAT(err, HasSubstr("--port-alias takes ROUTE_PORT=DEFINITION_PORT"));
}

TEST_F(Program, RetiresInstancesAndDrainsCells) {
  RunVersion1();
  EXPECT_EQ(Do({"retire", "shop"}), kDone) << err;
  EXPECT_THAT(out, HasSubstr("app shop: 1 instance: slot 0 is replaced\n"));
  EXPECT_EQ(Do({"cell", "drain", "cell-1"}), kDone) << err;
  EXPECT_THAT(out, HasSubstr("cell cell-1 drains"));
  EXPECT_EQ(Do({"get", "cells"}), kDone);
  EXPECT_THAT(out, HasSubstr("PRESENT,DRAINING"));
  EXPECT_EQ(Do({"cell", "undrain", "cell-1"}), kDone) << err;
  EXPECT_EQ(Do({"get", "cells"}), kDone);
  EXPECT_THAT(out, Not(HasSubstr("DRAINING")));
}

TEST_F(Program, TheHistoryNamesEveryStepAndWhoAskedForIt) {
  RunVersion1();
  EXPECT_EQ(Do({"rollout", "history", "shop"}), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("TOOK"), HasSubstr("COMPLETED"), HasSubstr("tester")));
  EXPECT_EQ(Do({"rollout", "history", "shop", "-o", "wide"}), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("ACTIVE"), HasSubstr("WAITED"), HasSubstr("COMPLETED")));
  EXPECT_EQ(Do({"rollout", "history", "shop", "--steps"}), kDone) << err;
  EXPECT_THAT(out,
              AllOf(HasSubstr("opened v1: first start of v1 (by "), HasSubstr("Asked for by"), HasSubstr("Waited:")));
}

TEST_F(Program, WhatTheServerRefusesNamesFieldValueAndLimit) {
  EXPECT_EQ(Do({"apply", "-f", "-"}, App("v1", "instances: -1\n")), kFailed);
  EXPECT_THAT(err, HasSubstr("instances is -1; it takes 0 to 100000"));
  EXPECT_EQ(Do({"get", "apps"}), kDone);
  EXPECT_THAT(out, Not(HasSubstr("shop"))) << "nothing half done";
}

TEST_F(Program, ARollIsPausedResumedAndCancelled) {
  RunVersion1();
  ASSERT_EQ(Apply("v2"), kDone);
  EXPECT_EQ(Do({"rollout", "pause", "shop", "--reason", "lunch"}), kDone) << err;
  EXPECT_TRUE(StateBecomes("PAUSED"));
  EXPECT_EQ(Do({"rollout", "explain", "shop"}), kDone);
  EXPECT_THAT(out, HasSubstr("unblocks:"));
  EXPECT_EQ(Do({"rollout", "resume", "shop"}), kDone) << err;
  EXPECT_TRUE(StateBecomes("ROLLING"));
  EXPECT_EQ(Do({"rollout", "cancel", "shop"}), kDone) << err;
  EXPECT_TRUE(StateBecomes("ROLLED_BACK"));
  EXPECT_EQ(Do({"rollout", "status", "shop"}), kFailed) << "the target does not run";
}

TEST_F(Program, UndoGoesBackAndWatchTellsEachStepOnce) {
  RunVersion1();
  ASSERT_EQ(Apply("v2"), kDone);
  RunNext();
  ASSERT_TRUE(StateBecomes("COMPLETED"));
  StopWhatIsToldTo(first);
  ASSERT_EQ(Do({"rollout", "undo", "shop", "--to", "v1"}), kDone) << err;
  EXPECT_THAT(out, HasSubstr("app shop goes to v1: updated, roll "));
  RunNext();
  EXPECT_EQ(Do({"rollout", "status", "shop", "--watch"}), kDone) << err;
  const auto times = [&](const std::string& words) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = out.find(words, at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(times(" surged v1"), 1u) << out;
  EXPECT_EQ(times(" handed_over v1"), 1u) << out;
  EXPECT_THAT(out, HasSubstr("COMPLETED after "));
}

TEST_F(Program, ScalesAndDeletes) {
  RunVersion1();
  EXPECT_EQ(Do({"scale", "shop", "2"}), kDone) << err;
  EXPECT_THAT(out, HasSubstr("app shop scaled to 2"));
  RunNext();
  EXPECT_EQ(Do({"scale", "shop", "2"}), kDone);
  EXPECT_THAT(out, HasSubstr("app shop unchanged at 2"));
  EXPECT_EQ(Do({"apply", "-f", "-"}, App("v1")), kDone);
  EXPECT_EQ(Do({"get", "instances", "--app", "shop"}), kDone);
  EXPECT_THAT(out, AllOf(HasSubstr("shop  0"), HasSubstr("shop  1"))) << "a file without instances leaves their number";
  EXPECT_EQ(Do({"delete", "shop"}), kDone) << err;
  EXPECT_EQ(Do({"get", "apps", "shop"}), kFailed);
}

TEST_F(Program, PrintsEventsAsLinesOfTextAndOfJson) {
  ASSERT_EQ(Apply("v1"), kDone);
  RunNext();
  EXPECT_EQ(Do({"events", "--app", "shop"}), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("desired_created"), HasSubstr("shop: none -> 1 x v1"),
                         HasSubstr("shop/0 v1: CLAIMED -> RUNNING on cell-1")));
  EXPECT_EQ(Do({"events", "--kind", "actual", "-o", "json"}), kDone);
  std::istringstream lines(out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_THAT(nlohmann::json::parse(line)["kind"].get<std::string>(), ::testing::StartsWith("actual_"));
  }
  EXPECT_GE(count, 3);
  EXPECT_EQ(Do({"events", "--after", "999999"}), kFailed);
  EXPECT_THAT(err, HasSubstr("list again"));
  EXPECT_EQ(Do({"events", "--kind", "rubbish"}), kFailed);
  EXPECT_THAT(err, HasSubstr("actual_crashed"));
}

TEST_F(Program, PinsDefinitionsAndSaysWhyTheyAreKept) {
  ASSERT_EQ(Apply("v1"), kDone);
  EXPECT_EQ(Do({"definition", "pin", "shop", "v1"}), kDone) << err;
  EXPECT_THAT(out, AllOf(HasSubstr("shop/v1 is kept"), HasSubstr("PINNED")));
  EXPECT_EQ(Do({"get", "definitions", "--why", "--app", "shop"}), kDone);
  EXPECT_THAT(out, AllOf(HasSubstr("new instances are started from it"), HasSubstr("somebody pinned it"),
                         HasSubstr("1 instances were started from it")));
  EXPECT_EQ(Do({"definition", "unpin", "shop", "v1"}), kDone);
  EXPECT_THAT(out, Not(HasSubstr("PINNED")));
  EXPECT_EQ(Do({"definition", "pin", "shop", "v9"}), kFailed);
  EXPECT_THAT(err, HasSubstr("there is no definition v9"));
}

TEST_F(Program, AnAppSaysHowManyDefinitionsItKeeps) {
  ASSERT_EQ(Apply("v1"), kDone);
  ASSERT_EQ(Do({"apply", "-f", "-"}, App("v1", "definition_history: 5\n")), kDone) << err;
  ASSERT_EQ(Do({"get", "app", "shop", "-o", "json"}), kDone);
  EXPECT_EQ(nlohmann::json::parse(out)["desired_lrps"][0]["definition_history"], 5);
}

}  // namespace
}  // namespace baton::cli
