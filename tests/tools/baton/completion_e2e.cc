// The completion script, in a real bash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/embedded_postgres/command.h"

namespace baton::cli {
namespace {

// What bash offers after these words, of which the last one is not complete.
std::string Offered(const std::string& words) {
  const std::string script = "asked() { if [[ $1 == --batond ]]; then shift; at=$1; shift; fi; "
                             "[[ $1 == --timeout && $3 == __names && -n $4 ]] && echo \"is-$4 is-at-${at:-default}\"; }; source <(" BATON_PROGRAM " completion bash); COMP_LINE='" + words + "'; COMP_WORDS=(" + words +
                             "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _baton; echo \" ${COMPREPLY[*]} \"";
  const auto result = RunCommand({"/bin/bash", "--norc", "-c", script}, std::nullopt);
  EXPECT_TRUE(result.ok() && result->exit_status == 0);
  return result ? result->output : "";
}

TEST(Completion, OffersWhatFits) {
  using ::testing::HasSubstr;
  using ::testing::Not;
  EXPECT_EQ(Offered("baton app"), " apply \n");
  EXPECT_EQ(Offered("baton get de"), " definitions \n");
  EXPECT_EQ(Offered("baton rollout re"), " resume retry \n");
  EXPECT_THAT(Offered("baton rollout status --w"), HasSubstr("--watch"));
  EXPECT_THAT(Offered("baton -o json rollout ''"), ::testing::AllOf(HasSubstr(" undo "), Not(HasSubstr(" apply "))));
  EXPECT_THAT(Offered("baton ''"), HasSubstr(" scale "));
  EXPECT_EQ(Offered("baton get apps --output ''"), " table wide json yaml \n");
  EXPECT_EQ(Offered("baton -o j"), " json \n");
  EXPECT_EQ(Offered("baton admin api-usage --api ''"), " v1 v2 \n");
}

// In the place of baton: says which names it was asked for, and where.
std::string OfferedNames(const std::string& words) {
  return Offered("asked " + words).substr(1);
}

TEST(Completion, AsksBatondForTheNamesOfAppsCellsAndRolls) {
  using ::testing::HasSubstr;
  using ::testing::Not;
  for (const auto& [words, kind] : std::vector<std::pair<std::string, std::string>>{
           {"retire is-", "app"}, {"rollout status is-", "app"}, {"get apps is-", "app"}, {"describe app is-", "app"},
           {"cell drain is-", "cell"}, {"get cells is-", "cell"}, {"events --cell is-", "cell"}, {"explain cell is-", "cell"},
           {"describe roll is-", "roll"}, {"router remove is-", "router"}, {"get instances --app is-", "app"}}) {
    EXPECT_EQ(OfferedNames(words), "is-" + kind + " is-at-default \n") << words;
  }
  EXPECT_EQ(OfferedNames("--batond 127.0.0.1:9 retire is-"), "is-app is-at-127.0.0.1:9 \n");
  EXPECT_EQ(OfferedNames("get is-"), " \n") << "no kind is given yet";
  EXPECT_THAT(OfferedNames("retire --w"), HasSubstr("--wait"));
}

TEST(Completion, IsSilentWhereNoBatondIs) {
  const auto result = RunCommand({"/bin/bash", "--norc", "-c", BATON_PROGRAM " --batond 127.0.0.1:1 --timeout 0.2 __names app"},
                                 std::nullopt);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->exit_status, 0);
  EXPECT_EQ(result->output, "");
}

}  // namespace
}  // namespace baton::cli
