#include "tools/logging/line_rate.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

using std::chrono::milliseconds;

TEST(LineRate, EachNameHasItsOwnAndASecondLaterAgain) {
  LineRate rate(3);
  const LineRate::Instant start{};
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(rate.Ask("a", start).may);
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(rate.Ask("a", start + milliseconds(999)).may);
  EXPECT_TRUE(rate.Ask("b", start).may);
  const auto again = rate.Ask("a", start + milliseconds(1000));
  EXPECT_TRUE(again.may);
  EXPECT_EQ(again.dropped, 5);
  EXPECT_EQ(rate.Ask("a", start + milliseconds(1001)).dropped, 0) << "they are told of once";
}

}  // namespace
}  // namespace baton
