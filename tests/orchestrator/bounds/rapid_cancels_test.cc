#include "orchestrator/bounds/rapid_cancels.h"

#include <gtest/gtest.h>

namespace baton::bounds {
namespace {

using std::chrono::milliseconds;

constexpr RapidCancels::Time kStart{std::chrono::hours(1)};

// Whether it was ever one too many.
bool Cancel(RapidCancels& cancels, int count, RapidCancels::Time from, milliseconds apart) {
  bool cut = false;
  for (int i = 0; i < count; ++i) cut = cancels.Note("a", from + i * apart) || cut;
  return cut;
}

TEST(RapidCancels, TwoHundredOfAPeerWithinTenSecondsAreTakenAndOneMoreIsNot) {
  RapidCancels cancels(200);
  EXPECT_FALSE(Cancel(cancels, 200, kStart, milliseconds(1)));
  EXPECT_FALSE(cancels.Note("b", kStart)) << "another peer";
  EXPECT_TRUE(cancels.Note("a", kStart + milliseconds(300)));
  EXPECT_FALSE(cancels.Note("a", kStart + milliseconds(300))) << "said once";
}

TEST(RapidCancels, WhoCancelsNowAndThenGoesOn) {
  RapidCancels cancels(200);
  EXPECT_FALSE(Cancel(cancels, 2000, kStart, milliseconds(60)));
}

TEST(RapidCancels, AWindowBeginsAnew) {
  RapidCancels cancels(200);
  EXPECT_TRUE(Cancel(cancels, 201, kStart, milliseconds(1)));
  EXPECT_TRUE(Cancel(cancels, 201, kStart + std::chrono::seconds(11), milliseconds(1)));
}

}  // namespace
}  // namespace baton::bounds
