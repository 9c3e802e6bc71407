// Whom a cell obeys, over its restarts.
#include "tools/cell/leader/epoch_fence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/shim/scratch_dir.h"
#include "tools/shim/atomic_file.h"

namespace baton::cell {
namespace {

using ::testing::HasSubstr;

v2::CellWelcome WelcomeOf(std::int64_t epoch, const std::string& store, const std::string& accepted = {}) {
  v2::CellWelcome welcome;
  welcome.set_epoch(epoch);
  welcome.set_store_id(store);
  if (!accepted.empty()) welcome.add_accepted_store_ids(accepted);
  return welcome;
}

class EpochFenceTest : public ::testing::Test {
 protected:
  // As after a restart.
  EpochFence Kept() { return EpochFence(dir_ / "epoch"); }

  testing::ScratchDir dir_;
};

TEST_F(EpochFenceTest, ANewCellObeysWhomeverItMeetsAndThenTheLeadersOfThatStore) {
  EXPECT_EQ(Kept().store(), "");
  ASSERT_TRUE(Kept().Accept(WelcomeOf(5, "s"), 5));
  EXPECT_EQ(Kept().store(), "s");
  EXPECT_EQ(Kept().epoch(), 5);
  EXPECT_TRUE(Kept().Accept(WelcomeOf(6, "s"), 6));
  EXPECT_EQ(Kept().epoch(), 6);
}

TEST_F(EpochFenceTest, AnEarlierLeaderIsNotObeyed) {
  ASSERT_TRUE(Kept().Accept(WelcomeOf(5, "s"), 5));
  const Status refused = Kept().Accept(4);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("its epoch 4 is not 5 or higher"));
  EXPECT_FALSE(Kept().Accept(WelcomeOf(4, "s"), 5)) << "the lower of the two counts";
  EXPECT_FALSE(Kept().Accept(WelcomeOf(5, "s"), 4));
  EXPECT_EQ(Kept().epoch(), 5);
}

// A database that was made anew has low epochs at first, and high ones at last: they are not to be compared.
TEST_F(EpochFenceTest, TheLeaderOfAnotherStoreIsNotObeyedHoweverHighItsEpoch) {
  ASSERT_TRUE(Kept().Accept(WelcomeOf(5, "s"), 5));
  const Status refused = Kept().Accept(WelcomeOf(1000, "t"), 1000);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("it leads store t, this cell belongs to s"));
  EXPECT_THAT(refused.error().message, HasSubstr("--accept-store"));
  EXPECT_EQ(Kept().epoch(), 5);
  EXPECT_EQ(Kept().store(), "s");
}

TEST_F(EpochFenceTest, AStoreThatWasAcceptedInPlaceOfItsOwnIsItsOwnFromThenOn) {
  ASSERT_TRUE(Kept().Accept(WelcomeOf(5, "s"), 5));
  EXPECT_TRUE(Kept().Accept(WelcomeOf(6, "t", "s"), 6));
  EXPECT_EQ(Kept().store(), "t");
  EXPECT_FALSE(Kept().Accept(WelcomeOf(7, "s"), 7));
}

TEST_F(EpochFenceTest, ALeaderThatNamesNoStoreIsJudgedByItsEpochAlone) {
  ASSERT_TRUE(Kept().Accept(WelcomeOf(5, "s"), 5));
  EXPECT_TRUE(Kept().Accept(WelcomeOf(6, ""), 6));
  EXPECT_EQ(Kept().store(), "s");
  EXPECT_FALSE(Kept().Accept(WelcomeOf(5, ""), 5));
}

TEST_F(EpochFenceTest, WhatAnEarlierCellWroteDownStillHolds) {
  ASSERT_TRUE(shim::WriteWholeFile(dir_ / "epoch", "41\n"));
  EXPECT_EQ(Kept().epoch(), 41);
  EXPECT_EQ(Kept().store(), "");
  EXPECT_FALSE(Kept().Accept(WelcomeOf(40, "s"), 40));
  EXPECT_TRUE(Kept().Accept(WelcomeOf(41, "s"), 41));
}

TEST_F(EpochFenceTest, ForgottenItIsAsANewOne) {
  ASSERT_TRUE(Kept().Accept(WelcomeOf(5, "s"), 5));
  Kept().Forget();
  EXPECT_TRUE(Kept().Accept(WelcomeOf(1, "t"), 1));
}

TEST_F(EpochFenceTest, WhatCannotBeWrittenDownIsNotObeyed) {
  EpochFence nowhere("/nonexistent/epoch");
  EXPECT_FALSE(nowhere.Accept(3));
  EXPECT_EQ(nowhere.epoch(), 0);
}

}  // namespace
}  // namespace baton::cell
