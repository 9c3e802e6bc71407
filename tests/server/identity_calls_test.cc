// How many calls with one answer a caller has under way, with time as it comes.
#include "orchestrator/server/callers/identity_calls.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/fakes/no_metrics.h"

namespace baton {
namespace {

using std::chrono::milliseconds;

class IdentityCallsTest : public ::testing::Test {
 protected:
  bool Admit(const std::string& who) { return calls.Admit(who, now).ok(); }
  NoMetrics metrics;
  IdentityCalls calls{2, metrics};
  IdentityCalls::Steady::time_point now{std::chrono::hours(1)};
};

TEST_F(IdentityCallsTest, EachCallerHasPlacesOfItsOwn) {
  ASSERT_TRUE(Admit("controller/a"));
  std::vector<IdentityCalls::Place> held;
  held.push_back(calls.Begin("controller/a", /*lasts=*/false));
  ASSERT_TRUE(Admit("controller/a"));
  held.push_back(calls.Begin("controller/a", false));
  const Status third = calls.Admit("controller/a", now);
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().kind, ErrorKind::kResourceExhausted);
  EXPECT_EQ(third.error().message, "2 calls of controller/a are under way already (--identity-calls): ask again later");
  EXPECT_TRUE(Admit("controller/b"));
  held.pop_back();
  EXPECT_TRUE(Admit("controller/a"));
}

// Headers without a message reach no handler: 5 GB of them were held.
TEST_F(IdentityCallsTest, CallsThatHaveNotBegunCountForAWhile) {
  EXPECT_TRUE(Admit("a"));
  EXPECT_TRUE(Admit("a"));
  EXPECT_FALSE(Admit("a"));
  now += milliseconds(1000);
  EXPECT_FALSE(Admit("a")) << "of the second before";
  now += milliseconds(1000);
  EXPECT_TRUE(Admit("a")) << "they ended before they began";
}

TEST_F(IdentityCallsTest, StreamsHaveALimitOfTheirOwn) {
  std::vector<IdentityCalls::Place> held;
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(Admit("a"));
    held.push_back(calls.Begin("a", /*lasts=*/true));
  }
  EXPECT_TRUE(Admit("a"));
  EXPECT_TRUE(Admit("a"));
  EXPECT_FALSE(Admit("a")) << "until they have begun they may be any calls";
}

TEST_F(IdentityCallsTest, OneThatBeginsLateIsUnderWayAllTheSame) {
  ASSERT_TRUE(Admit("a"));
  now += std::chrono::hours(1);
  ASSERT_TRUE(Admit("a"));
  const auto first = calls.Begin("a", false);
  const auto second = calls.Begin("a", false);
  EXPECT_FALSE(Admit("a"));
}

}  // namespace
}  // namespace baton
