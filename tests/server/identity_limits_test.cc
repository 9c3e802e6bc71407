// What one caller may have under way, with time as it comes.
#include "orchestrator/server/callers/identity_limits.h"

#include <gtest/gtest.h>

#include "tests/fakes/no_metrics.h"

namespace baton {
namespace {

using Kind = IdentityLimits::Kind;
using std::chrono::milliseconds;

class IdentityLimitsTest : public ::testing::Test {
 protected:
  int Writes(const std::string& who, int asked) {
    int done = 0;
    for (int i = 0; i < asked; ++i) done += limits.TakeWrite(who, now).ok() ? 1 : 0;
    return done;
  }
  NoMetrics metrics;
  IdentityLimits limits{{.lists = 2, .plans = 1, .streams = 3, .writes_a_second = 10, .writes_at_once = 20}, metrics};
  IdentityLimits::Steady::time_point now{std::chrono::hours(1)};
};

TEST_F(IdentityLimitsTest, EachCallerHasPlacesOfItsOwn) {
  auto one = limits.Take(Kind::kLists, "controller/a");
  auto two = limits.Take(Kind::kLists, "controller/a");
  ASSERT_TRUE(one && two);
  const auto three = limits.Take(Kind::kLists, "controller/a");
  ASSERT_FALSE(three);
  EXPECT_EQ(three.error().kind, ErrorKind::kResourceExhausted);
  EXPECT_EQ(three.error().message, "2 lists of controller/a are under way already (--identity-lists): ask again later");
  EXPECT_TRUE(limits.Take(Kind::kLists, "controller/b"));
  const auto plan = limits.Take(Kind::kPlans, "controller/a");
  EXPECT_TRUE(plan) << "another kind";
  const auto forecast = limits.Take(Kind::kForecasts, "controller/a");
  EXPECT_TRUE(forecast) << "a page asks for it by itself, and takes nothing from who plans";
  EXPECT_FALSE(limits.Take(Kind::kPlans, "controller/a"));
  EXPECT_FALSE(limits.Take(Kind::kForecasts, "controller/a"));
  one->reset();
  EXPECT_TRUE(limits.Take(Kind::kLists, "controller/a"));
}

TEST_F(IdentityLimitsTest, NobodyInParticularIsNotCounted) {
  std::vector<IdentityLimits::Slot> held;
  for (int i = 0; i < 10; ++i) {
    auto slot = limits.Take(Kind::kPlans, "");
    ASSERT_TRUE(slot);
    held.push_back(*slot);
    EXPECT_TRUE(limits.TakeWrite("", now));
  }
}

TEST_F(IdentityLimitsTest, WritesComeBackWithTime) {
  EXPECT_EQ(Writes("a", 30), 20);
  EXPECT_EQ(Writes("b", 1), 1);
  now += milliseconds(99);
  EXPECT_EQ(Writes("a", 1), 0);
  const Status refused = limits.TakeWrite("a", now);
  ASSERT_FALSE(refused);
  EXPECT_EQ(*refused.error().retry_after, milliseconds(1));
  now += milliseconds(1);
  EXPECT_EQ(Writes("a", 2), 1);
  now += milliseconds(1000);
  EXPECT_EQ(Writes("a", 30), 10);
  now += std::chrono::hours(1);
  EXPECT_EQ(Writes("a", 30), 20) << "and never more than at once";
  now -= std::chrono::hours(2);
  EXPECT_EQ(Writes("a", 1), 0) << "a clock that went back gives nothing";
}

}  // namespace
}  // namespace baton
