// How a cell or a router finds the leader again.
#include "tools/client/leader_search.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

using std::chrono::milliseconds;

const Hints kNobody;
const Hints kSoon{"", milliseconds(250)};
const Hints kNamesDead{"dead:1", milliseconds(250)};

TEST(LeaderSearchTest, WhereNobodyAnswersTheOthersAreAskedAfterLongerAndLongerWaits) {
  LeaderSearch search({"a:1", "b:1"}, milliseconds(1000));
  EXPECT_LE(search.Lost(kNobody), milliseconds(100));
  EXPECT_EQ(search.address(), "b:1");
  for (int i = 0; i < 10; ++i) (void)search.Lost(kNobody);
  EXPECT_GE(search.Lost(kNobody), milliseconds(500));
  search.Found();
  EXPECT_LE(search.Lost(kNobody), milliseconds(100));
}

TEST(LeaderSearchTest, WhoIsNamedIsAskedAtOnce) {
  LeaderSearch search({"a:1", "b:1", "c:1"}, milliseconds(1000));
  EXPECT_EQ(search.Lost({"c:1", milliseconds(250)}), milliseconds(0));
  EXPECT_EQ(search.address(), "c:1");
}

// The leader has died, and its lease runs on: whoever stands by will lead or know who does, and in between nobody waits for
// seconds because the dead one was asked in vain.
TEST(LeaderSearchTest, AStandbyIsAskedAgainWhenItSaysSo) {
  LeaderSearch search({"dead:1", "standby:1"}, milliseconds(3000));
  (void)search.Lost(kNobody);
  for (int i = 0; i < 16; ++i) {
    ASSERT_EQ(search.address(), "standby:1");
    const milliseconds wait = search.Lost(kSoon);
    EXPECT_GE(wait, milliseconds(250));
    EXPECT_LE(wait, milliseconds(500));
  }
  ASSERT_EQ(search.address(), "standby:1");
  (void)search.Lost(kSoon);
  EXPECT_EQ(search.address(), "dead:1") << "not for ever: it may know nothing";
}

// It is asked again at once, and then less and less often: each time may cost the patience that one gets who may be dead.
TEST(LeaderSearchTest, OneThatHasDiedIsAskedLessAndLessOftenWhileAStandbyStillNamesIt) {
  LeaderSearch search({"dead:1", "standby:1"}, milliseconds(3000));
  (void)search.Lost(kNobody);
  for (const int named_in_vain : {0, 1, 2, 4, 8}) {
    for (int i = 0; i < named_in_vain; ++i) {
      ASSERT_EQ(search.address(), "standby:1");
      EXPECT_GE(search.Lost(kNamesDead), milliseconds(250));
    }
    ASSERT_EQ(search.address(), "standby:1");
    EXPECT_EQ(search.Lost(kNamesDead), milliseconds(0));
    ASSERT_EQ(search.address(), "dead:1");
    EXPECT_EQ(search.Patience(milliseconds(15'000)), milliseconds(2000));
    (void)search.Lost(kNobody);
  }
}

TEST(LeaderSearchTest, AnotherThatIsNamedIsAskedAtOnceWhoeverDied) {
  LeaderSearch search({"dead:1", "standby:1", "third:1"}, milliseconds(3000));
  (void)search.Lost(kNobody);
  EXPECT_EQ(search.Lost(kNamesDead), milliseconds(0));
  (void)search.Lost(kNobody);  // in vain
  ASSERT_EQ(search.address(), "standby:1");
  EXPECT_EQ(search.Lost({"third:1", milliseconds(250)}), milliseconds(0));
  EXPECT_EQ(search.address(), "third:1");
  EXPECT_EQ(search.Patience(milliseconds(15'000)), milliseconds(15'000));
}

// Its stream was only cut: the standby goes on naming it, and is right.
TEST(LeaderSearchTest, ALeaderThatWasAwayForAMomentIsFoundAgainByTheFirstWordOfAStandby) {
  LeaderSearch search({"leader:1", "one:1", "two:1"}, milliseconds(3000));
  search.Found();
  EXPECT_LE(search.Lost(kNobody), milliseconds(100));
  ASSERT_EQ(search.address(), "one:1");
  EXPECT_EQ(search.Lost({"leader:1", milliseconds(250)}), milliseconds(0));
  EXPECT_EQ(search.address(), "leader:1");
}

// It ends the stream and says when to come back, as each end does: nobody else is asked.
TEST(LeaderSearchTest, ALeaderThatEndsTheStreamWithAHintIsAskedAgainItself) {
  LeaderSearch search({"leader:1", "standby:1"}, milliseconds(3000));
  search.Found();
  EXPECT_LE(search.Lost(kSoon), milliseconds(500));
  EXPECT_EQ(search.address(), "leader:1");
}

}  // namespace
}  // namespace baton
