#include "tools/router/haproxy/leftover_watch.h"

#include <gmock/gmock.h>

namespace baton::router {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const LeftoverWatch::Time kStart{};

TEST(LeftoverWatch, AnIdleServerIsDeleted) {
  LeftoverWatch watch(milliseconds(1000));
  EXPECT_THAT(watch.Next({"be_0000/i1"}, {{"be_0000/i1", 0}}, kStart).commands, ElementsAre("del server be_0000/i1"));
}

TEST(LeftoverWatch, ABusyServerIsLeftAloneUntilTheLimit) {
  LeftoverWatch watch(milliseconds(1000));
  const ServerSessions busy{{"be_0000/i1", 1}};
  EXPECT_THAT(watch.Next({"be_0000/i1"}, busy, kStart).commands, IsEmpty());
  EXPECT_THAT(watch.Next({"be_0000/i1"}, busy, kStart + milliseconds(999)).commands, IsEmpty());
  const LeftoverSteps steps = watch.Next({"be_0000/i1"}, busy, kStart + milliseconds(1000));
  EXPECT_THAT(steps.cut, ElementsAre("be_0000/i1"));
  EXPECT_THAT(steps.commands, ElementsAre("shutdown sessions server be_0000/i1", "del server be_0000/i1"));
}

TEST(LeftoverWatch, TheSameInstanceBusyInAnotherBackendDoesNotHoldIt) {
  LeftoverWatch watch(milliseconds(1000));
  EXPECT_THAT(watch.Next({"be_0000/i1"}, {{"be_0000/i1", 0}, {"be_0001/i1", 7}}, kStart).commands,
              ElementsAre("del server be_0000/i1"));
}

TEST(LeftoverWatch, OneThatCameBackInBetweenBeginsAnew) {
  LeftoverWatch watch(milliseconds(1000));
  const ServerSessions busy{{"be_0000/i1", 1}};
  watch.Next({"be_0000/i1"}, busy, kStart);
  watch.Next({}, busy, kStart + milliseconds(500));
  EXPECT_THAT(watch.Next({"be_0000/i1"}, busy, kStart + milliseconds(1200)).commands, IsEmpty());
}

}  // namespace
}  // namespace baton::router
