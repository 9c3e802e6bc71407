// The completion script, in a real bash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/embedded_postgres/command.h"

namespace baton {
namespace {

// What bash offers after these words, of which the last one is not complete.
std::string Offered(const std::string& words) {
  const std::string script = "source <(" BATON_PROGRAM " completion bash); COMP_WORDS=(" + words +
                             "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _baton; echo \" ${COMPREPLY[*]} \"";
  const auto result = RunCommand({"/bin/bash", "--norc", "-c", script}, std::nullopt);
  EXPECT_TRUE(result.ok() && result->exit_status == 0);
  return result ? result->output : "";
}

TEST(Completion, OffersWhatFits) {
  using testing::HasSubstr;
  using testing::Not;
  EXPECT_EQ(Offered("baton app"), " apply \n");
  EXPECT_EQ(Offered("baton get de"), " definitions \n");
  EXPECT_EQ(Offered("baton rollout re"), " resume retry \n");
  EXPECT_THAT(Offered("baton rollout status --w"), HasSubstr("--watch"));
  EXPECT_THAT(Offered("baton -o json rollout ''"), testing::AllOf(HasSubstr(" undo "), Not(HasSubstr(" apply "))));
  EXPECT_THAT(Offered("baton ''"), HasSubstr(" scale "));
}

}  // namespace
}  // namespace baton
