#include "tools/load/ledger.h"

#include <gtest/gtest.h>

namespace baton::load {
namespace {

AnswerRecord Answer(std::int64_t at_ms, int index, RequestKind kind = RequestKind::kNew) {
  return {.at_ms = at_ms, .latency_ms = 2, .kind = kind, .version = "v1", .index = index, .instance = "guid"};
}

TEST(LedgerTest, CountsByVersionAndKind) {
  Ledger ledger;
  for (int i = 0; i < 4; ++i) ledger.Sent();
  ledger.Answered(Answer(10, 0));
  AnswerRecord other = Answer(20, 0, RequestKind::kKeptSlow);
  other.version = "v2";
  ledger.Answered(other);
  ledger.Failed({.at_ms = 30, .kind = RequestKind::kKept, .text = "gone"});
  const LoadSnapshot snapshot = ledger.Snapshot(30);
  EXPECT_EQ(snapshot.requests, 4);
  EXPECT_EQ(snapshot.answered, 2);
  EXPECT_EQ(snapshot.failed, 1);
  EXPECT_EQ(snapshot.answered_by_version, (std::map<std::string, std::int64_t>{{"v1", 1}, {"v2", 1}}));
  EXPECT_EQ(snapshot.by_kind[static_cast<int>(RequestKind::kNew)].answered, 1);
  EXPECT_EQ(snapshot.by_kind[static_cast<int>(RequestKind::kKept)].failed, 1);
  EXPECT_EQ(snapshot.by_kind[static_cast<int>(RequestKind::kKeptSlow)].answered, 1);
}

TEST(LedgerTest, KeepsTheFirstTwentyFailures) {
  Ledger ledger;
  for (int i = 0; i < 25; ++i) ledger.Failed({.at_ms = i, .kind = RequestKind::kNew, .text = std::to_string(i)});
  const LoadSnapshot snapshot = ledger.Snapshot(25);
  EXPECT_EQ(snapshot.failed, 25);
  ASSERT_EQ(snapshot.first_failures.size(), 20u);
  EXPECT_EQ(snapshot.first_failures.back().text, "19");
  EXPECT_EQ(ledger.FailureTimes().size(), 25u);
}

TEST(LedgerTest, SlowAnswersDoNotCountAsServing) {
  Ledger ledger;
  ledger.Answered(Answer(100, 0));
  ledger.Answered(Answer(200, 1, RequestKind::kNewSlow));
  ledger.Answered(Answer(300, 2, RequestKind::kKept));
  EXPECT_EQ(ledger.MinServing(0, 1000), 2);
}

TEST(LedgerTest, SlowLatenciesAreNotAmongTheFastOnes) {
  Ledger ledger;
  ledger.Answered(Answer(100, 0));
  AnswerRecord slow = Answer(900, 0, RequestKind::kKeptSlow);
  slow.latency_ms = 800;
  ledger.Answered(slow);
  EXPECT_NEAR(ledger.Snapshot(900).p99_ms, 2, 0.02);
}

TEST(LedgerTest, AFailureDoesNotEndAGap) {
  Ledger ledger;
  ledger.Answered(Answer(10, 0));
  ledger.Failed({.at_ms = 500, .kind = RequestKind::kNew, .text = "503"});
  ledger.Answered(Answer(1010, 0));
  EXPECT_EQ(ledger.Snapshot(1020).longest_gap_ms, 1000);
}

TEST(LedgerTest, KeepsTextsOfItsOwn) {
  Ledger ledger;
  {
    const std::string gone = "v1-of-a-name-that-is-too-long-for-the-string-itself";
    AnswerRecord answer = Answer(10, 0);
    answer.version = gone;
    ledger.Answered(answer);
  }
  EXPECT_EQ(ledger.Answers().front().version, "v1-of-a-name-that-is-too-long-for-the-string-itself");
}

}  // namespace
}  // namespace baton::load
