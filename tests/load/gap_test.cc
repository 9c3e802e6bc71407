#include "tools/load/gap.h"

#include <gtest/gtest.h>

namespace baton::load {
namespace {

TEST(GapTest, IsTheLongestTimeBetweenTwoAnswers) {
  Gap gap;
  gap.Answer(10);
  gap.Answer(300);
  gap.Answer(400);
  EXPECT_EQ(gap.LongestMs(450), 290);
}

TEST(GapTest, TheTimeBeforeTheFirstAnswerCounts) {
  Gap gap;
  gap.Answer(700);
  gap.Answer(800);
  EXPECT_EQ(gap.LongestMs(800), 700);
}

TEST(GapTest, TheTimeSinceTheLastAnswerCounts) {
  Gap gap;
  gap.Answer(10);
  EXPECT_EQ(gap.LongestMs(5010), 5000);
}

TEST(GapTest, WithoutAnyAnswerItIsAllTheTime) { EXPECT_EQ(Gap().LongestMs(3000), 3000); }

TEST(GapTest, AnEndedGapIsNotForgotten) {
  Gap gap;
  gap.Answer(5000);
  gap.Answer(5010);
  EXPECT_EQ(gap.LongestMs(5020), 5000);
}

TEST(GapTest, OnceClosedItStays) {
  Gap gap;
  gap.Answer(100);
  gap.Close(250);
  gap.Answer(1000);
  EXPECT_EQ(gap.LongestMs(9000), 150);
}

}  // namespace
}  // namespace baton::load
