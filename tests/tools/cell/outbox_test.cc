#include "tools/cell/leader/outbox.h"

#include <gtest/gtest.h>

namespace baton::cell {
namespace {

v2::CellReport Report(const std::string& actual, const std::string& reason) {
  v2::CellReport report;
  report.set_actual_id(actual);
  report.mutable_rejected()->set_reason(reason);
  return report;
}

// "a1 b2": actual id and reason of each.
std::string Text(const std::vector<v2::CellReport>& reports) {
  std::string text;
  for (const v2::CellReport& report : reports) text += report.actual_id() + report.rejected().reason() + " ";
  return text;
}

class OutboxTest : public ::testing::Test {
 protected:
  void Put(const std::string& actual, std::uint64_t number) {
    outbox_.Put({actual, "g"}, number, Report(actual, std::to_string(number)));
  }
  std::string Take() {
    taken_ = outbox_.Take(1000);
    return Text(taken_);
  }
  Outbox outbox_;
  std::vector<v2::CellReport> taken_;
};

TEST_F(OutboxTest, TellsInTheOrderOfHappeningWithRisingIds) {
  Put("b", 1);
  Put("a", 1);
  EXPECT_EQ(Take(), "b1 a1 ");
  EXPECT_LT(taken_[0].report_id(), taken_[1].report_id());
  EXPECT_EQ(Take(), "");  // under way
}

TEST_F(OutboxTest, NewerFactOfAnInstanceTakesThePlaceOfAnOlder) {
  Put("a", 1);
  Put("b", 1);
  Put("a", 2);
  EXPECT_EQ(Take(), "b1 a2 ");
}

TEST_F(OutboxTest, NewerFactWaitsForTheAnswerToTheOlder) {
  Put("a", 1);
  ASSERT_EQ(Take(), "a1 ");
  const auto first = taken_[0].report_id();
  Put("a", 2);
  Put("b", 1);
  EXPECT_EQ(Take(), "b1 ");
  EXPECT_EQ(outbox_.Answer(first)->fact_number, 1u);
  EXPECT_EQ(Take(), "a2 ");
  EXPECT_EQ(outbox_.Answer(taken_[0].report_id())->fact_number, 2u);
  EXPECT_FALSE(outbox_.empty());  // b is not answered
}

// One that the outbox still took for unanswered would be kept back until the stream is lost.
TEST_F(OutboxTest, FactAfterAnAnswerIsToldAtOnce) {
  Put("a", 1);
  ASSERT_EQ(Take(), "a1 ");
  EXPECT_TRUE(outbox_.Answer(taken_[0].report_id()));
  Put("a", 2);
  EXPECT_EQ(Take(), "a2 ");
}

TEST_F(OutboxTest, SecondAnswerToAReportIsNobodys) {
  Put("a", 1);
  Take();
  EXPECT_TRUE(outbox_.Answer(taken_[0].report_id()));
  EXPECT_FALSE(outbox_.Answer(taken_[0].report_id()));
  EXPECT_FALSE(outbox_.Answer(12345));
  EXPECT_TRUE(outbox_.empty());
}

TEST_F(OutboxTest, LostStreamRepeatsEverythingInOrder) {
  Put("a", 1);
  Put("b", 1);
  Take();
  const auto old_id = taken_[0].report_id();
  Put("c", 1);
  outbox_.StreamLost();
  EXPECT_EQ(Take(), "a1 b1 c1 ");
  EXPECT_GT(taken_[0].report_id(), old_id);
  EXPECT_FALSE(outbox_.Answer(old_id));  // an answer of the lost stream
}

TEST_F(OutboxTest, PostponedIsKeptBackUntilRetryOthersAreNot) {
  Put("a", 1);
  Take();
  outbox_.Postpone(taken_[0].report_id());
  EXPECT_TRUE(outbox_.postponed());
  Put("b", 1);
  EXPECT_EQ(Take(), "b1 ");
  outbox_.Retry();
  EXPECT_EQ(Take(), "a1 ");
}

TEST_F(OutboxTest, NewerFactOfAPostponedWaitsForRetryInItsNewPlace) {
  Put("a", 1);
  Take();
  Put("a", 2);
  outbox_.Postpone(taken_[0].report_id());
  Put("b", 1);
  EXPECT_EQ(Take(), "b1 ");
  Put("a", 3);
  EXPECT_EQ(Take(), "");
  Put("c", 1);
  outbox_.Retry();
  EXPECT_EQ(Take(), "a3 c1 ");
}

TEST_F(OutboxTest, NewerFactThatWaitedIsToldOnceAfterTheStreamWasLost) {
  Put("a", 1);
  Take();
  const auto lost = taken_[0].report_id();
  Put("a", 2);
  outbox_.StreamLost();
  EXPECT_EQ(Take(), "a2 ");
  EXPECT_FALSE(outbox_.Answer(lost));
  EXPECT_EQ(Take(), "");
  EXPECT_TRUE(outbox_.Answer(lost + 1));
  EXPECT_TRUE(outbox_.empty());
}

TEST_F(OutboxTest, WhatIsDroppedUnderWayOrPostponedIsNotToldAgain) {
  Put("a", 1);
  Put("b", 1);
  Take();
  outbox_.Drop({"a", "g"});
  outbox_.Postpone(taken_.at(0).report_id());
  outbox_.Postpone(taken_.at(1).report_id());
  outbox_.Drop({"b", "g"});
  outbox_.Retry();
  outbox_.StreamLost();
  EXPECT_EQ(Take(), "");
}

TEST_F(OutboxTest, DroppedIsNotTold) {
  Put("a", 1);
  outbox_.Drop({"a", "g"});
  EXPECT_EQ(Take(), "");
  EXPECT_TRUE(outbox_.empty());
}

TEST_F(OutboxTest, TakesNoMoreThanAsked) {
  for (int i = 0; i < 5; ++i) Put(std::to_string(i), 1);
  EXPECT_EQ(outbox_.Take(3).size(), 3u);
  EXPECT_EQ(outbox_.Take(3).size(), 2u);
}

}  // namespace
}  // namespace baton::cell
