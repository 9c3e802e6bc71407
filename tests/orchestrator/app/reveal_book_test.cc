// Which reads of secrets have a row of the audit, and that the others are counted.
#include "orchestrator/app/calls/reveal_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Rows = RevealBook::Rows;

constexpr auto kMinute = std::chrono::minutes(1);
constexpr auto kHour = std::chrono::hours(1);

class RevealsOfCallers : public ::testing::Test {
 protected:
  bool Shown(const std::string& actor, const std::string& app, Rows rows, const std::string& method = "v1/Get") {
    return book.Add({.actor = actor, .method = method, .guid = app, .outcome = kRevealed}, rows, now);
  }
  // "ACTOR APP +N" of each that is due.
  std::vector<std::string> Due(bool all = false) {
    std::vector<std::string> rows;
    for (const RefusedWrite& row : book.TakeDue(now, all)) {
      rows.push_back(row.entry.actor + " " + row.entry.guid + " +" + std::to_string(row.entry.left_out));
    }
    return rows;
  }

  RevealBook book{{.due_max = 3}};
  RevealBook::Time now{std::chrono::hours(1000)};
};

TEST_F(RevealsOfCallers, WhoAsksForThemHasARowForEachCall) {
  for (const char* app : {"a", "a", "b"}) EXPECT_TRUE(Shown("ann", app, Rows::kEach));
  EXPECT_THAT(Due(), ElementsAre("ann a +0", "ann a +0", "ann b +0"));
  EXPECT_THAT(Due(), IsEmpty());
}

TEST_F(RevealsOfCallers, OtherwiseTheFirstIsToldAtOnceAndTheRestOnceAnHour) {
  EXPECT_TRUE(Shown("cc", "a", Rows::kOneAnHour));
  EXPECT_THAT(Due(), ElementsAre("cc a +0"));
  for (int i = 0; i < 30; ++i) {
    now += kMinute;
    EXPECT_FALSE(Shown("cc", std::to_string(i), Rows::kOneAnHour));
  }
  EXPECT_THAT(Due(), IsEmpty());
  now += kHour;
  EXPECT_THAT(Due(), ElementsAre("cc 29 +29")) << "the last of 30, and how many before it";
  now += kMinute;
  EXPECT_FALSE(Shown("cc", "x", Rows::kOneAnHour)) << "that row began the next hour";
  now += kHour;
  EXPECT_THAT(Due(), ElementsAre("cc x +0"));
  now += kHour;
  EXPECT_THAT(Due(), IsEmpty());
  EXPECT_TRUE(Shown("cc", "y", Rows::kOneAnHour)) << "after an hour without it is the first again";
}

TEST_F(RevealsOfCallers, EachCallerAndMethodHasItsOwn) {
  EXPECT_TRUE(Shown("controller/cc (said: x)", "a", Rows::kOneAnHour));
  EXPECT_FALSE(Shown("controller/cc (said: y)", "a", Rows::kOneAnHour)) << "whatever it says";
  EXPECT_TRUE(Shown("controller/cc (said: x)", "a", Rows::kOneAnHour, "v1/List"));
  EXPECT_TRUE(Shown("web/page+operator/alice (said: x)", "a", Rows::kOneAnHour));
  EXPECT_THAT(Due(), SizeIs(3));
  EXPECT_TRUE(Shown("web/page+operator/ann (said: x)", "a", Rows::kOneAnHour)) << "another person";
}

// Not one is left out, and memory stays bounded.
TEST_F(RevealsOfCallers, WhatIsBeyondWhatIsKeptIsCounted) {
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Shown("ann", "a", Rows::kEach));
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(Shown("ann", "b", Rows::kEach));
  EXPECT_THAT(Due(), SizeIs(3));
  EXPECT_THAT(Due(/*all=*/true), ElementsAre("ann b +4"));
}

TEST_F(RevealsOfCallers, WhatWasCountedIsToldAtTheEnd) {
  Shown("cc", "a", Rows::kOneAnHour);
  Shown("cc", "b", Rows::kOneAnHour);
  EXPECT_THAT(Due(/*all=*/true), ElementsAre("cc a +0", "cc b +0"));
}

TEST_F(RevealsOfCallers, OfManyNamesFurtherOnesShareOneRow) {
  RevealBook few({.callers_max = 2});
  for (int i = 0; i < 100; ++i) {
    few.Add({.actor = std::to_string(i), .method = "m", .outcome = kRevealed}, Rows::kOneAnHour, now);
  }
  std::int64_t told = 0;
  for (const RefusedWrite& row : few.TakeDue(now, true)) told += 1 + row.entry.left_out;
  EXPECT_EQ(told, 100);
}

}  // namespace
}  // namespace baton
