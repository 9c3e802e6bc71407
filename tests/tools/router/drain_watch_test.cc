#include "tools/router/haproxy/drain_watch.h"

#include <gmock/gmock.h>

namespace baton::router {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(DrainWatch, AnInstanceIsDrainedAfterTwoReadingsOfZeroInARow) {
  DrainWatch watch;
  EXPECT_THAT(watch.Observe({"i1"}, {{"i1", 1}}), IsEmpty());
  EXPECT_THAT(watch.Observe({"i1"}, {{"i1", 0}}), IsEmpty());
  EXPECT_THAT(watch.Observe({"i1"}, {{"i1", 2}}), IsEmpty());
  EXPECT_THAT(watch.Observe({"i1"}, {{"i1", 0}}), IsEmpty());
  EXPECT_THAT(watch.Observe({"i1"}, {{"i1", 0}}), ElementsAre("i1"));
}

TEST(DrainWatch, OneThatHaproxyDoesNotKnowIsDrainedAtOnce) {
  DrainWatch watch;
  EXPECT_THAT(watch.Observe({"i1"}, {{"i2", 3}}), ElementsAre("i1"));
}

TEST(DrainWatch, EachIsReportedOnce) {
  DrainWatch watch;
  EXPECT_THAT(watch.Observe({"i1"}, {}), ElementsAre("i1"));
  EXPECT_FALSE(watch.Waiting({"i1"}));
  EXPECT_THAT(watch.Observe({"i1"}, {}), IsEmpty());
}

TEST(DrainWatch, OneThatServedInBetweenIsReportedAgain) {
  DrainWatch watch;
  watch.Observe({"i1"}, {});
  watch.Observe({}, {{"i1", 0}});
  EXPECT_TRUE(watch.Waiting({"i1"}));
  EXPECT_THAT(watch.Observe({"i1"}, {}), ElementsAre("i1"));
}

TEST(DrainWatch, ANewStreamHearsOfEachAgain) {
  DrainWatch watch;
  watch.Observe({"i1"}, {});
  watch.Reset();
  EXPECT_THAT(watch.Observe({"i1"}, {}), ElementsAre("i1"));
}

TEST(DrainWatch, OneDoesNotWaitForAnother) {
  DrainWatch watch;
  watch.Observe({"i1", "i2"}, {{"i1", 0}, {"i2", 1}});
  EXPECT_THAT(watch.Observe({"i1", "i2"}, {{"i1", 0}, {"i2", 1}}), ElementsAre("i1"));
  EXPECT_TRUE(watch.Waiting({"i1", "i2"}));
}

}  // namespace
}  // namespace baton::router
