// When cells are believed that the database has gone back.
#include "orchestrator/app/cells/epoch_reports.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

const CellId kOne("one"), kTwo("two"), kThree("three");
const std::set<CellId> kAll{kOne, kTwo, kThree};

TEST(EpochReports, OneOfManySaysNothing) {
  EpochReports words;
  EXPECT_EQ(words.Said(kOne, 9, kAll, kAll.size()), std::nullopt);
  EXPECT_EQ(words.Said(kOne, 12, kAll, kAll.size()), std::nullopt) << "however often";
}

TEST(EpochReports, TwoAreBelievedAsFarAsTheyAgree) {
  EpochReports words;
  EXPECT_EQ(words.Said(kOne, 1'000'000, kAll, kAll.size()), std::nullopt);
  EXPECT_EQ(words.Said(kTwo, 9, kAll, kAll.size()), 9);
}

TEST(EpochReports, OneIsEnoughWhereNobodyElseIsThere) {
  EpochReports words;
  EXPECT_EQ(words.Said(kOne, 9, {kOne, kTwo}, 2), std::nullopt) << "one is silent";
  words.Clear();
  EXPECT_EQ(words.Said(kThree, 9, {kOne}, 1), std::nullopt) << "a stranger";
  words.Clear();
  EXPECT_EQ(words.Said(kOne, 9, {kOne}, 1), 9);
  words.Clear();
  EXPECT_EQ(words.Said(kThree, 9, {}, 0), 9) << "restored from before it registered, and nobody says otherwise";
}

// B2 came back with a leader that knew nobody, or whose other cells were silent.
TEST(EpochReports, OneOfManyThatAreRegisteredIsNotEnoughHoweverFewAreThere) {
  EpochReports words;
  EXPECT_EQ(words.Said(kOne, 9, {}, 3), std::nullopt);
  EXPECT_EQ(words.Said(kOne, 9, {kOne}, 3), std::nullopt);
  words.Clear();
  EXPECT_EQ(words.Said(kOne, 9, {kOne}, 2), 9) << "half of them, and the other one is dead";
}

TEST(EpochReports, NamesCostNothingAndAreBounded) {
  EpochReports words;
  for (int i = 0; i < 5000; ++i)
    (void)words.Said(CellId("stranger-" + std::to_string(i)), 1'000'000, kAll, kAll.size());
  (void)words.Said(kOne, 5, kAll, kAll.size());
  EXPECT_EQ(words.Said(kTwo, 9, kAll, kAll.size()), 5) << "the least of what is said";
}

}  // namespace
}  // namespace baton
