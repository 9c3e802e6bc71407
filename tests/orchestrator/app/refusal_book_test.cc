// Refused writes are told, and cannot fill a disk.
#include "orchestrator/app/calls/refusal_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "orchestrator/app/calls/refused_writes.h"
#include "tests/fakes/no_metrics.h"
#include "tests/fakes/silent_log.h"

namespace baton {
namespace {

using std::chrono::minutes;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class RefusedCalls : public ::testing::Test {
 protected:
  RefusalBook::Time now{std::chrono::hours(1000)};
  RefusalBook book{{.actor = {3, minutes(1)}, .all = {5, seconds(10)}, .actors_max = 2, .due_max = 100}};

  bool Refused(const std::string& actor, const std::string& why = "no") {
    return book.Add({.actor = actor, .outcome = "NOT_FOUND", .reason = why}, now);
  }
  // "ann: no", "ann: no +2" where two were left out before it.
  std::vector<std::string> Due() {
    std::vector<std::string> due;
    for (const auto& [entry, ago] : book.TakeDue(now)) {
      due.push_back(entry.actor + ": " + entry.reason +
                    (entry.left_out > 0 ? " +" + std::to_string(entry.left_out) : ""));
    }
    return due;
  }
};

TEST_F(RefusedCalls, AreToldOnce) {
  EXPECT_TRUE(Refused("ann", "no app"));
  EXPECT_THAT(Due(), ElementsAre("ann: no app"));
  EXPECT_THAT(Due(), IsEmpty());
}

TEST_F(RefusedCalls, BeyondARateAreCountedAndTheLastOfThemIsTold) {
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Refused("ann", std::to_string(i)), i < 3);
  EXPECT_THAT(Due(), ElementsAre("ann: 0", "ann: 1", "ann: 2"));
  now += seconds(58);
  EXPECT_THAT(Due(), IsEmpty());
  now += seconds(3);
  EXPECT_THAT(Due(), ElementsAre("ann: 9 +6"));
  EXPECT_FALSE(Refused("ann", "10")) << "what was left out takes what is gained first";
}

TEST_F(RefusedCalls, OfOneActorTakeNothingFromAnother) {
  for (int i = 0; i < 10; ++i) Refused("ann");
  EXPECT_TRUE(Refused("ben"));
}

TEST_F(RefusedCalls, OfManyActorsHaveOneBoundTogether) {
  for (int i = 0; i < 10'000; ++i) Refused("actor-" + std::to_string(i));
  EXPECT_THAT(Due(), SizeIs(5));
  std::size_t told = 0;
  for (int i = 0; i < 60; ++i) {
    now += seconds(10);
    for (int j = 0; j < 100; ++j) Refused("other-" + std::to_string(100 * i + j));
    told += Due().size();
  }
  EXPECT_LE(told, 60U);
  EXPECT_GE(told, 10U);
}

TEST_F(RefusedCalls, AnActorThatWasQuietMakesRoomForAnother) {
  for (const char* actor : {"ann", "ben"}) EXPECT_TRUE(Refused(actor));
  now += minutes(5);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Refused("cleo"));
  now += seconds(40);  // all may go on, cleo may not
  EXPECT_FALSE(Refused("cleo"));
  EXPECT_TRUE(Refused("dan")) << "a rate of its own";
}

TEST_F(RefusedCalls, SayHowLongAgoTheyWere) {
  Refused("ann");
  now += seconds(7);
  const auto due = book.TakeDue(now);
  ASSERT_THAT(due, SizeIs(1));
  EXPECT_EQ(due[0].ago, seconds(7));
}

// Is away until it is told otherwise.
class Shelf final : public AuditStore {
 public:
  Status Append(const std::vector<RefusedWrite>& refused) override {
    const std::lock_guard lock(mutex_);
    ++tries_;
    if (!away_ && std::ranges::any_of(refused, [](const auto& one) { return one.entry.reason == "bad"; })) {
      return Error{ErrorKind::kInvalidArgument, "invalid byte sequence for encoding", {}};
    }
    if (!away_) {
      for (const RefusedWrite& one : refused) reasons_.push_back(one.entry.reason);
    }
    changed_.notify_all();
    if (away_) return Error{ErrorKind::kUnavailable, "away", {}};
    return Done{};
  }
  void Return() {
    const std::lock_guard lock(mutex_);
    away_ = false;
  }
  bool WaitForTries(int tries) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, seconds(20), [&] { return tries_ >= tries; });
  }
  std::vector<std::string> AwaitReasons(std::size_t many) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, seconds(20), [&] { return reasons_.size() >= many; });
    return reasons_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool away_ = true;
  int tries_ = 0;
  std::vector<std::string> reasons_;
};

TEST(RefusedWritesOfALeader, AreKeptWhileTheDatabaseIsAway) {
  Shelf shelf;
  SilentLog log;
  NoMetrics metrics;
  RefusedWrites refused(shelf, log, metrics, {.limits = {}, .every = milliseconds(10), .try_again = milliseconds(10)});
  refused.Add({.outcome = "NOT_FOUND", .reason = "before it led"});
  refused.Lead();
  refused.Add({.outcome = "NOT_FOUND", .reason = "first"});
  ASSERT_TRUE(shelf.WaitForTries(2));
  refused.Add({.outcome = "NOT_FOUND", .reason = "second"});
  shelf.Return();
  EXPECT_THAT(shelf.AwaitReasons(2), ElementsAre("first", "second"));
}

TEST(RefusedWritesOfALeader, OneThatTheDatabaseNeverTakesStopsNoOther) {
  Shelf shelf;
  shelf.Return();
  SilentLog log;
  NoMetrics metrics;
  RefusedWrites refused(shelf, log, metrics, {.limits = {}, .every = milliseconds(10), .try_again = milliseconds(10)});
  refused.Lead();
  std::vector<std::string> good;
  for (int i = 0; i < 15; ++i) {
    const bool bad = i == 0 || i == 4 || i == 5 || i == 14;
    refused.Add({.outcome = "NOT_FOUND", .reason = bad ? "bad" : std::to_string(i)});
    if (!bad) good.push_back(std::to_string(i));
  }
  EXPECT_EQ(shelf.AwaitReasons(good.size()), good) << "in their order";
  refused.Add({.outcome = "NOT_FOUND", .reason = "later"});
  good.emplace_back("later");
  EXPECT_EQ(shelf.AwaitReasons(good.size()), good);
}

TEST(RefusedWritesOfALeader, SettlingWritesWhatIsCountedOfBothKinds) {
  Shelf shelf;
  shelf.Return();
  SilentLog log;
  NoMetrics metrics;
  RefusedWrites refused(shelf, log, metrics, {.limits = {.actor = {1, minutes(1)}}, .gather = std::chrono::hours(1)});
  refused.Lead();
  for (const char* reason : {"told", "left out", "the last"}) refused.Add({.outcome = "NOT_FOUND", .reason = reason});
  for (const char* reason : {"the first of an hour", "counted"}) {
    refused.AddReveal({.outcome = kRevealed, .reason = reason}, RevealBook::Rows::kOneAnHour);
  }
  refused.Settle(seconds(20));
  refused.Follow();
  EXPECT_THAT(shelf.AwaitReasons(0), ElementsAre("told", "the last", "the first of an hour", "counted"));
}

// A try that has just failed is not waited for: there is no later one.
TEST(RefusedWritesOfALeader, SettlingTriesAtOnceWhatCouldNotBeWritten) {
  Shelf shelf;
  SilentLog log;
  NoMetrics metrics;
  RefusedWrites refused(shelf, log, metrics, {.try_again = std::chrono::hours(1)});
  refused.Lead();
  refused.Add({.outcome = "NOT_FOUND", .reason = "first"});
  ASSERT_TRUE(shelf.WaitForTries(1));
  shelf.Return();
  refused.Settle(seconds(20));
  EXPECT_THAT(shelf.AwaitReasons(0), ElementsAre("first"));
}

TEST(RefusedWritesOfALeader, WhereItDoesNotLeadSettlingDoesNotWait) {
  Shelf shelf;
  SilentLog log;
  NoMetrics metrics;
  RefusedWrites refused(shelf, log, metrics, {});
  const auto began = std::chrono::steady_clock::now();
  refused.Settle(std::chrono::hours(1));
  EXPECT_LT(std::chrono::steady_clock::now() - began, minutes(1));
}

}  // namespace
}  // namespace baton
