// Who is not asked again, for what, and until when.
#include "orchestrator/placement/refusals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Pair;

const Asked kApp{ProcessGuid("app"), "v1"};
const Asked kNewer{ProcessGuid("app"), "v2"};
const Asked kOther{ProcessGuid("other"), "v1"};
const CellId kA("a");
const CellId kB("b");

TimePoint At(double s) { return TimePoint(Duration(static_cast<std::int64_t>(s * 1e6))) + seconds(1000); }

CellOffer With(const CellId& id, std::int64_t memory_mb) {
  CellOffer cell;
  cell.id = id;
  cell.free.memory_mb = memory_mb;
  return cell;
}

Refusals::Rejection NoMemory(const CellId& id, std::int64_t free = 100) {
  return {"insufficient memory: 512 MiB wanted, 100 free", Lack::kMemory, With(id, free)};
}

TEST(Refusals, ARejectionCountsAgainstWhatWasAskedOnThatCellAndAgainstNothingElse) {
  Refusals refusals;
  refusals.Rejected(kApp, kA, NoMemory(kA), At(0));
  EXPECT_THAT(refusals.Of(kApp, At(0)), ElementsAre(Pair(kA, "insufficient memory: 512 MiB wanted, 100 free")));
  EXPECT_THAT(refusals.Of(kOther, At(0)), IsEmpty());
  EXPECT_THAT(refusals.Of(kNewer, At(0)), IsEmpty()) << "another definition is another question";
  EXPECT_TRUE(refusals.MayAsk(kApp, 0, At(0))) << "the next cell is asked at once";
  EXPECT_TRUE(refusals.MayAsk(kOther, 100, At(0)));
}

TEST(Refusals, ACellIsAskedAgainAfterOneSecondThenTwiceAsLongUpToThirty) {
  Refusals refusals;
  double now = 0;
  for (const double wait : {1, 2, 4, 8, 16, 30, 30, 30}) {
    refusals.Rejected(kApp, kA, NoMemory(kA), At(now));
    EXPECT_THAT(refusals.Of(kApp, At(now + wait - 0.001)), ElementsAre(Key(kA))) << wait;
    EXPECT_LE(refusals.AskAgainAt(kApp, At(now)), At(now + wait));
    EXPECT_THAT(refusals.Of(kApp, At(now + wait)), IsEmpty()) << wait;
    EXPECT_TRUE(refusals.MayAsk(kApp, 0, At(now + wait)));
    now += wait;
  }
}

TEST(Refusals, WhatIsRejectedIsAskedOfOneCellAtATime) {
  Refusals refusals;
  EXPECT_TRUE(refusals.MayAsk(kApp, 7, At(0))) << "nobody has said no";
  refusals.Rejected(kApp, kA, NoMemory(kA), At(0));
  EXPECT_TRUE(refusals.MayAsk(kApp, 0, At(0)));
  EXPECT_FALSE(refusals.MayAsk(kApp, 1, At(0)));
  refusals.Claimed(kApp, kB);
  EXPECT_TRUE(refusals.MayAsk(kApp, 1, At(0))) << "there is a place for it";
}

TEST(Refusals, AHundredCellsThatAllRejectItAreNotAskedInOneGo) {
  Refusals refusals;
  int orders = 0;
  std::vector<double> in_window;
  for (double now = 0; now < 180; now += 0.05) {
    for (int cell = 0; cell < 100 && refusals.MayAsk(kApp, 0, At(now)); ++cell) {
      const CellId id("cell-" + std::to_string(cell));
      if (refusals.Of(kApp, At(now)).contains(id)) continue;
      refusals.Rejected(kApp, id, NoMemory(id), At(now));
      ++orders;
      in_window.push_back(now);
    }
  }
  EXPECT_LE(orders, 14);
  for (std::size_t i = 0; i + kRejectionsAtOnce < in_window.size(); ++i) {
    EXPECT_GE(in_window[i + kRejectionsAtOnce] - in_window[i], 0.9) << "a burst at " << in_window[i];
  }
}

TEST(Refusals, AClaimIsNoProofAndAStartIs) {
  Refusals refusals;
  refusals.Rejected(kApp, kA, NoMemory(kA), At(0));
  refusals.Claimed(kApp, kA);
  EXPECT_THAT(refusals.Of(kApp, At(0)), IsEmpty());
  refusals.Rejected(kApp, kA, NoMemory(kA), At(1));  // what it claimed could not be started after all
  EXPECT_EQ(refusals.AskAgainAt(kApp, At(1)), At(3));
  refusals.Claimed(kApp, kA);
  refusals.Started(kApp, kA);
  EXPECT_EQ(refusals.size(), 0u);
  refusals.Rejected(kApp, kA, NoMemory(kA), At(5));
  EXPECT_EQ(refusals.AskAgainAt(kApp, At(5)), At(6));
}

TEST(Refusals, AnOrderThatIsLeftUnansweredKeepsNobodyFromAskingOthers) {
  Refusals refusals;
  for (int i = 0; i < 9; ++i) refusals.Unanswered(kApp, CellId(std::to_string(i)), "did not claim it", At(0));
  EXPECT_TRUE(refusals.MayAsk(kApp, 5, At(0)));
  EXPECT_EQ(refusals.Of(kApp, At(0)).size(), 9u);
  EXPECT_THAT(refusals.Of(kApp, At(1)), IsEmpty());
}

TEST(Refusals, ACellThatComesEndsTheWait) {
  Refusals refusals;
  for (int i = 0; i < 6; ++i) refusals.Rejected(kApp, kA, NoMemory(kA), At(0));
  ASSERT_FALSE(refusals.MayAsk(kApp, 0, At(1)));
  refusals.Opened(kB);
  EXPECT_TRUE(refusals.MayAsk(kApp, 0, At(1)));
  EXPECT_THAT(refusals.Of(kApp, At(1)), ElementsAre(Key(kA))) << "it said no, and another came";
  refusals.Opened(kA);
  EXPECT_THAT(refusals.Of(kApp, At(1)), IsEmpty());
}

TEST(Refusals, MoreRoomOfWhatIsShortEndsTheWaitOnceForEachAmount) {
  Refusals refusals;
  for (int i = 0; i < 6; ++i) refusals.Rejected(kApp, kA, NoMemory(kA, 100), At(0));
  refusals.Grew(With(kA, 100));
  EXPECT_FALSE(refusals.MayAsk(kApp, 0, At(1))) << "as much as it was rejected with";
  refusals.Grew(With(kB, 900));
  EXPECT_FALSE(refusals.MayAsk(kApp, 0, At(1))) << "another cell's";
  refusals.Grew(With(kA, 101));
  EXPECT_TRUE(refusals.MayAsk(kApp, 0, At(1)));
  refusals.Rejected(kApp, kA, NoMemory(kA, 60), At(1));
  refusals.Grew(With(kA, 100));
  EXPECT_FALSE(refusals.MayAsk(kApp, 0, At(2))) << "releases that only give back what was there before are no reason";
}

TEST(Refusals, RoomIsNoHelpWhereNoneIsShort) {
  Refusals refusals;
  for (int i = 0; i < 4; ++i) {
    refusals.Rejected(kApp, kA, {"this cell cannot enact privileged", Lack::kOther, With(kA, 1)}, At(0));
  }
  refusals.Grew(With(kA, 1000));
  EXPECT_FALSE(refusals.MayAsk(kApp, 0, At(1)));
}

TEST(Refusals, WhatIsAskedForNoMoreIsForgotten) {
  Refusals refusals;
  refusals.Rejected(kApp, kA, NoMemory(kA), At(0));
  refusals.Rejected(kOther, kA, NoMemory(kA), At(1000));
  EXPECT_EQ(refusals.size(), 1u);
  EXPECT_EQ(refusals.Words(kOther), "a: refused: insufficient memory: 512 MiB wanted, 100 free");
}

TEST(Complaints, OrdersOfOneAppNeverCountAgainstTheCell) {
  Complaints complaints;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(complaints.Unanswered(kA, ProcessGuid("app")), std::nullopt);
    EXPECT_EQ(complaints.OwnFault(kA, ProcessGuid("app")), std::nullopt);
  }
}

TEST(Complaints, ACellThatFailsSeveralAppsIsHeldOffUntilItTakesOneAgain) {
  Complaints complaints;
  const auto fault = [&](int app) { return complaints.OwnFault(kA, ProcessGuid(std::to_string(app))); };
  EXPECT_EQ(fault(1), std::nullopt);
  EXPECT_EQ(fault(2), std::nullopt);
  EXPECT_EQ(fault(3), Duration(seconds(1)));
  EXPECT_EQ(fault(1), std::nullopt);
  EXPECT_EQ(fault(2), std::nullopt);
  EXPECT_EQ(fault(3), Duration(seconds(2)));
  complaints.Took(kA);
  for (int app = 1; app < 3; ++app) EXPECT_EQ(fault(app), std::nullopt);
  EXPECT_EQ(fault(3), Duration(seconds(1)));
  for (int app = 1; app < 3; ++app) EXPECT_EQ(complaints.Unanswered(kB, ProcessGuid(std::to_string(app))), std::nullopt);
  EXPECT_EQ(complaints.Unanswered(kB, ProcessGuid("3")), kUnansweredFor);
}

}  // namespace
}  // namespace baton
