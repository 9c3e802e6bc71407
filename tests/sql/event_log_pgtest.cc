// The outbox's end: nothing is passed that may still come, whoever writes it, and nothing is told twice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "sql/read/pg_event_log.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/silent_log.h"
#include "tests/sql/open_writer.h"

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class EventLogTest : public ::testing::Test {
 protected:
  // Kinds, until there is nothing more for the time being.
  std::vector<std::string> Told() {
    std::vector<std::string> kinds;
    for (int idle = 0; idle < 3;) {
      const auto batch = log_.Next(2);  // small, so that pages are crossed
      EXPECT_TRUE(batch);
      for (const EventRow& event : batch->events) kinds.push_back(event.kind);
      idle = batch->events.empty() ? idle + 1 : 0;
    }
    return kinds;
  }

  // One who takes the lower sequence commits after the one who has the higher.
  void FillAGap() {
    EXPECT_THAT(Told(), IsEmpty());
    OpenWriter late(url_), early(url_);
    late.Write("first");
    early.Write("second");
    early.Finish("COMMIT");
    EXPECT_THAT(Told(), IsEmpty());
    late.Finish("COMMIT");
    EXPECT_THAT(Told(), ElementsAre("first", "second"));
  }

  const std::string url_ = MigratedDatabase();
  SilentLog silent_;
  PgEventLog log_{url_, silent_};
};

TEST_F(EventLogTest, WhatCommitsLateIsToldInItsPlace) { FillAGap(); }

// Who may write is asked for at a gap, and no more once it is filled: it is a look at all locks of the server.
TEST_F(EventLogTest, AGapThatWasFilledIsForgotten) {
  FillAGap();
  std::atomic<int> asked{0};
  Session::SetHook([&](std::string_view statement) { asked += statement == "EventWriters"; });
  EXPECT_THAT(Told(), IsEmpty());
  Session::SetHook(nullptr);
  EXPECT_EQ(asked, 0);
}

// Ids of transactions are given out in another order than sequences: a horizon of ids would pass the lower sequence.
TEST_F(EventLogTest, AnOlderTransactionWithTheHigherSequenceDoesNotHideTheLowerOne) {
  EXPECT_THAT(Told(), IsEmpty());
  OpenWriter older(url_), younger(url_);
  older.Run("SELECT pg_current_xact_id()");
  younger.Write("first");
  older.Write("second");
  older.Finish("COMMIT");
  EXPECT_THAT(Told(), IsEmpty());
  younger.Finish("COMMIT");
  EXPECT_THAT(Told(), ElementsAre("first", "second"));
}

TEST_F(EventLogTest, WhatWasRolledBackHoldsNobodyUp) {
  EXPECT_THAT(Told(), IsEmpty());
  OpenWriter given_up(url_), other(url_), elsewhere(url_);
  elsewhere.Run("INSERT INTO domains VALUES ('d', now())");  // open, and none of its business
  given_up.Write("never");
  other.Write("second");
  other.Finish("COMMIT");
  EXPECT_THAT(Told(), IsEmpty());
  given_up.Finish("ROLLBACK");
  EXPECT_THAT(Told(), ElementsAre("second"));
}

TEST_F(EventLogTest, WhoWritesAfterwardsDoesNotHoldUpWhatWasBefore) {
  EXPECT_THAT(Told(), IsEmpty());
  OpenWriter given_up(url_), other(url_), busy(url_);
  given_up.Write("never");
  other.Write("second");
  other.Finish("COMMIT");
  EXPECT_THAT(Told(), IsEmpty());
  busy.Write("third");
  given_up.Finish("ROLLBACK");
  EXPECT_THAT(Told(), ElementsAre("second"));
  busy.Finish("COMMIT");
  EXPECT_THAT(Told(), ElementsAre("third"));
}

TEST_F(EventLogTest, ItBeginsAtTheEndOnceNobodyCanWriteBeforeIt) {
  OpenWriter before(url_), open(url_);
  before.Write("of old");
  before.Finish("COMMIT");
  open.Write("under way");
  auto batch = log_.Next(10);
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->waiting) << "one is still being written";
  open.Finish("COMMIT");
  batch = log_.Next(10);
  ASSERT_TRUE(batch);
  EXPECT_FALSE(batch->waiting);
  EXPECT_EQ(batch->settled, 2);
  OpenWriter after(url_);
  after.Write("new");
  after.Finish("COMMIT");
  EXPECT_THAT(Told(), ElementsAre("new"));
}

TEST_F(EventLogTest, OneThatCannotBeReadIsToldWithItsPlace) {
  EXPECT_THAT(Told(), IsEmpty());
  OpenWriter writer(url_);
  writer.Write("broken");
  writer.Finish("COMMIT");
  const auto batch = log_.Next(10);
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->events.size(), 1u);
  EXPECT_TRUE(batch->events[0].unreadable);
  EXPECT_EQ(batch->events[0].kind, "broken");
}

}  // namespace
}  // namespace baton
