// What this process has committed is told from its memory, and what is told is what the table has.
#include "sql/store/committed_events.h"

#include <gmock/gmock.h>

#include "sql/read/pg_event_log.h"
#include "tests/sql/pg_store_test.h"

namespace baton {
namespace {

using ::testing::ElementsAreArray;

class CommittedEventsTest : public PgStoreTest {
 protected:
  CommittedEventsTest() {
    remembering_.Lead({"leader", 1});
    remembering_.ExtendUntil(std::chrono::steady_clock::now() + std::chrono::hours(1));
  }
  ~CommittedEventsTest() override { remembering_.Stop(); }

  Status Remember(TestCall call) {
    std::promise<Status> answer;
    call.done = [&](const Status& status) { answer.set_value(status); };
    remembering_.Submit(std::move(call));
    return answer.get_future().get();
  }
  static std::vector<EventRow> Told(PgEventLog& log) {
    std::vector<EventRow> told;
    for (int idle = 0; idle < 3;) {
      auto batch = log.Next(3);
      EXPECT_TRUE(batch);
      idle = batch->events.empty() ? idle + 1 : 0;
      std::ranges::move(batch->events, std::back_inserter(told));
    }
    return told;
  }
  // How often rows were read, and not only their sequences.
  int RowsRead(const std::function<void()>& in) {
    std::atomic<int> reads{0};
    Session::SetHook([&](std::string_view statement) { reads += statement == "ReadEventsAfter"; });
    in();
    Session::SetHook(nullptr);
    return reads;
  }

  CommittedEvents events_;
  PgStore remembering_{{.url = cutter_.url(), .events = &events_}, log_, [] {}};
  PgEventLog from_memory_{direct_url_, log_, PlainCipher(), &events_};
  PgEventLog from_table_{direct_url_, log_};
};

TEST_F(CommittedEventsTest, AreToldFromMemoryAsTheTableHasThem) {
  EXPECT_TRUE(Told(from_memory_).empty());
  EXPECT_TRUE(Told(from_table_).empty());
  int instances = 0;
  for (const char* app : {"a", "b", "c"}) ASSERT_TRUE(Remember(Desire(ProcessGuid(app), 3)));
  ASSERT_TRUE(Remember(Grow(ProcessGuid("b"), 2, instances)));
  std::vector<EventRow> told;
  EXPECT_EQ(RowsRead([&] { told = Told(from_memory_); }), 0);
  EXPECT_GE(told.size(), 7u);
  EXPECT_THAT(told, ElementsAreArray(Told(from_table_)));
}

// Of another leader's time, or written by hand: rows in between are read, each in its place.
TEST_F(CommittedEventsTest, WhatOthersCommittedIsReadAndToldInItsPlace) {
  EXPECT_TRUE(Told(from_memory_).empty());
  EXPECT_TRUE(Told(from_table_).empty());
  ASSERT_TRUE(Remember(Desire(ProcessGuid("a"), 1)));
  ASSERT_TRUE(Do(Desire(ProcessGuid("b"), 1)));  // by a store that remembers nothing
  ASSERT_TRUE(Remember(Desire(ProcessGuid("c"), 1)));
  std::vector<EventRow> told;
  EXPECT_GT(RowsRead([&] { told = Told(from_memory_); }), 0);
  EXPECT_THAT(told, ElementsAreArray(Told(from_table_)));
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back().process_guid, "c");
}

TEST_F(CommittedEventsTest, NobodyAsksTheTableWhileNothingIsMissingInBetween) {
  EXPECT_TRUE(Told(from_memory_).empty());
  ASSERT_TRUE(Remember(Desire(ProcessGuid("a"), 1)));
  std::atomic<int> statements{0};
  Session::SetHook([&](std::string_view) { ++statements; });
  const auto batch = from_memory_.Next(1000);
  Session::SetHook(nullptr);
  ASSERT_TRUE(batch);
  EXPECT_FALSE(batch->events.empty());
  EXPECT_EQ(batch->settled, batch->events.back().sequence);
  EXPECT_EQ(statements, 0);
}

// A cell that comes, a domain, a definition that is collected: whoever writes it says that it is there.
TEST_F(CommittedEventsTest, WhatIsKnownToBeInTheTableAloneIsToldWithTheNextOnes) {
  EXPECT_TRUE(Told(from_memory_).empty());
  ASSERT_TRUE(Remember(Desire(ProcessGuid("a"), 1)));
  ASSERT_TRUE(Do(Desire(ProcessGuid("b"), 1)));
  events_.ThereAreOthers();
  const auto batch = from_memory_.Next(1000);
  ASSERT_TRUE(batch);
  ASSERT_FALSE(batch->events.empty());
  EXPECT_EQ(batch->events.front().process_guid, "a");
  EXPECT_EQ(batch->events.back().process_guid, "b");
}

// Of a try that was rolled back, or of somebody who is not done yet: the look that tells those before it says that more is to come.
TEST_F(CommittedEventsTest, BehindThoseInMemoryOneThatIsMissingIsWaitedForAtOnce) {
  EXPECT_TRUE(Told(from_memory_).empty());
  ASSERT_TRUE(Remember(Desire(ProcessGuid("a"), 1)));
  Sql("BEGIN; SELECT nextval(pg_get_serial_sequence('events', 'sequence')); ROLLBACK");
  ASSERT_TRUE(Remember(Desire(ProcessGuid("b"), 1)));
  const auto batch = from_memory_.Next(1000);
  ASSERT_TRUE(batch);
  EXPECT_FALSE(batch->events.empty());
  EXPECT_TRUE(batch->waiting || batch->events.back().process_guid == "b");
}

// It may have been done; what the table has is told, once.
TEST_F(CommittedEventsTest, OfACommitThatWasInDoubtTheyAreReadFromTheTable) {
  EXPECT_TRUE(Told(from_memory_).empty());
  EXPECT_TRUE(Told(from_table_).empty());
  ASSERT_TRUE(Remember(Desire(ProcessGuid("a"), 1)));
  cutter_.CutNext(CommitCutter::Cut::kAfter);
  int instances = 0;
  EXPECT_FALSE(Remember(Grow(ProcessGuid("a"), 1, instances)));
  ASSERT_TRUE(Remember(Grow(ProcessGuid("a"), 1, instances)));
  const std::vector<EventRow> told = Told(from_memory_);
  EXPECT_THAT(told, ElementsAreArray(Told(from_table_)));
  EXPECT_EQ(std::ranges::count(told, std::string("desired_changed"), &EventRow::kind), 2);
}

TEST(CommittedEvents, ThoseBeforeTheOneThatIsTakenAreForgottenAndSoIsTheReaderBefore) {
  CommittedEvents events;
  events.Put(
      {{.sequence = 1, .payload = "one"}, {.sequence = 2, .payload = "two"}, {.sequence = 4, .payload = "four"}});
  EXPECT_EQ(events.Take(2)->payload, "two");
  EXPECT_FALSE(events.Take(1));
  EXPECT_FALSE(events.Take(2));
  EXPECT_FALSE(events.Take(3));
  EXPECT_EQ(events.Take(4)->payload, "four");
  events.Put({{.sequence = 5, .payload = "five"}});
  events.Clear();
  EXPECT_FALSE(events.Take(5));
}

TEST(CommittedEvents, ThereIsNoRunWhereOneIsMissingOrThereAreOthers) {
  CommittedEvents events;
  events.Put({{.sequence = 2}, {.sequence = 4}, {.sequence = 5}, {.sequence = 6}, {.sequence = 8}});
  EXPECT_TRUE(events.TakeRun(2, 10).empty()) << "3 is missing";
  EXPECT_FALSE(events.Take(2)) << "it was told already";
  EXPECT_EQ(events.TakeRun(3, 2).size(), 2u);
  EXPECT_TRUE(events.TakeRun(5, 10).empty()) << "7 is missing behind 6: who looks at the table is told when to look again";
  const auto run = events.TakeRun(5, 1);
  ASSERT_EQ(run.size(), 1u);
  EXPECT_EQ(run[0].sequence, 6);
  events.ThereAreOthers();
  EXPECT_TRUE(events.TakeRun(7, 10).empty());
  EXPECT_EQ(events.TakeRun(7, 10).size(), 1u);
}

TEST(CommittedEvents, MoreThanIsKeptIsLeftToTheTable) {
  CommittedEvents events;
  const std::string half(CommittedEvents::kBytesMax / 2, 'x');
  events.Put({{.sequence = 1, .payload = half}, {.sequence = 2, .payload = half}, {.sequence = 3, .payload = "x"}});
  EXPECT_TRUE(events.Take(1));
  events.Put({{.sequence = 4, .payload = half}});
  EXPECT_TRUE(events.Take(2));
  EXPECT_FALSE(events.Take(3)) << "there was no room for it";
  EXPECT_TRUE(events.Take(4));
}

}  // namespace
}  // namespace baton
