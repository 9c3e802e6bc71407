// The cases that we have: none that we decide otherwise without knowing why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "tests/cases/case.h"
#include "tests/cases/kinds.h"

namespace baton::cases {
namespace {

using ::testing::HasSubstr;

std::vector<Case> All() {
  std::ifstream file(BATON_CASES);
  std::stringstream text;
  text << file.rdbuf();
  const auto cases = ReadCases(text.str());
  EXPECT_TRUE(cases) << cases.error().message;
  return cases ? *cases : std::vector<Case>();
}

TEST(Cases, OfOtherOrchestratorsAreDecidedAlikeOrOtherwiseOnPurpose) {
  ASSERT_EQ(All().size(), 147u);
  for (const Case& one : All()) {
    const Judged judged = Judge(one);
    EXPECT_NE(judged.verdict, Verdict::kDisagree) << one.id << ": " << judged.text;
  }
}

TEST(Cases, EveryKindIsMapped) {
  std::set<std::string> kinds;
  for (const Case& one : All()) kinds.insert(one.kind);
  for (const std::string& kind : kinds) EXPECT_TRUE(Kinds().contains(kind)) << kind;
  EXPECT_EQ(kinds.size(), Kinds().size());
}

// A verdict that could not be another one would prove nothing.
TEST(Cases, AnotherExpectationIsADisagreement) {
  Case one{"x",
           "scale_old",
           "",
           Json::parse(R"({"desired": 10, "max_surge": 0, "max_unavailable": 2,
    "old": {"available": 8, "unavailable": 2}, "new": {"available": 0, "unavailable": 0}})"),
           {{"old_spec", 8}},
           "same"};
  EXPECT_EQ(Judge(one).verdict, Verdict::kAgree);
  one.expect["old_spec"] = 7;
  EXPECT_EQ(Judge(one).verdict, Verdict::kDisagree);
  EXPECT_THAT(Judge(one).text, HasSubstr("old_spec is 8, not 7"));
  one.expect["other"] = 1;
  EXPECT_EQ(Judge(one).verdict, Verdict::kUnmapped);
  one.given = Json::object();
  EXPECT_EQ(Judge(one).verdict, Verdict::kUnmapped);
  one.kind = "unheard of";
  EXPECT_THAT(Judge(one).text, HasSubstr("unheard of"));
}

TEST(Cases, AFileThatIsNoneIsNamed) {
  EXPECT_THAT(ReadCases("{").error().message, HasSubstr("no JSON"));
  EXPECT_THAT(ReadCases("{}").error().message, HasSubstr("cases"));
  EXPECT_THAT(ReadCases(R"({"cases": [{"id": "a"}]})").error().message, HasSubstr("case 1 has no text `kind`"));
}

}  // namespace
}  // namespace baton::cases
