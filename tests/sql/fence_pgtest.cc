// The fence: a leader that was deposed writes nothing, an election waits for who is writing, a renewal for nobody.
#include "sql/store/fence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "sql/registry/pg_registry.h"
#include "sql/store/pg_collector.h"
#include "sql/store/pg_store.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/silent_log.h"
#include "tests/fakes/test_call.h"

namespace baton {
namespace {

using ::testing::HasSubstr;

class Fence : public ::testing::Test {
 protected:
  std::int64_t Take(PgLease& lease, Duration time = seconds(30)) {
    const auto epoch = lease.Take(time);
    EXPECT_TRUE(epoch) << epoch.error().message;
    return epoch ? epoch->value_or(0) : 0;
  }
  // The next leader, after this one's lease ended unnoticed.
  std::int64_t Depose(std::int64_t epoch) {
    EXPECT_TRUE(first_.Resign(epoch));
    return Take(second_);
  }

  SilentLog log_;
  const std::string url_ = MigratedDatabase();
  PgLease first_{url_, "leader", "first", ""};
  PgLease second_{url_, "leader", "second", ""};
  std::promise<void> deposed_;
};

TEST_F(Fence, EpochsOnlyGrowAndOneHolds) {
  EXPECT_EQ(Take(first_), 1);
  EXPECT_EQ(*second_.Take(seconds(1)), std::nullopt);
  EXPECT_EQ(Depose(1), 2);
  EXPECT_FALSE(*first_.Renew(1, seconds(1)));
  EXPECT_TRUE(*second_.Renew(2, seconds(1)));
  EXPECT_TRUE(first_.Resign(1));  // what is not held cannot be given away
  EXPECT_TRUE((*second_.Read())->running);
}

// Deadlines move by that time: another lease's would move them by an hour.
TEST_F(Fence, HowLongNobodyLedIsTakenOffItsOwnLease) {
  PgLease other(url_, "other", "first", "");
  Take(first_);
  Take(other);
  for (const std::string name : {"other", "leader"}) {  // the first row found is the leader's
    const SessionError error = OpenSession(url_)->Transact(Session::Isolation::kReadCommitted, [&](Session& session) {
      session.RunScript("UPDATE leases SET expires_at = now() - CASE name WHEN '" + name +
                        "' THEN interval '2 seconds' ELSE interval '1 hour' END");
      EXPECT_NEAR(static_cast<double>(session.Run("TakeLease", {name, "second", "", "1000"})[0].Int("standstill_ms")), 2000, 1000) << name;
      return true;
    });
    ASSERT_TRUE(error.ok()) << error.detail;
  }
}

TEST_F(Fence, ADeposedLeaderWritesNothing) {
  const std::int64_t epoch = Take(first_);
  PgStore store({.url = url_}, log_, [this] { deposed_.set_value(); });
  store.Lead({"leader", epoch});
  store.ExtendUntil(std::chrono::steady_clock::now() + std::chrono::hours(1));  // as its own clock has it
  PgRegistry registry(url_, log_);
  registry.Lead({"leader", epoch});
  PgCollector collector(url_, log_);
  collector.Lead({"leader", epoch});
  EXPECT_TRUE(collector.DeleteOld());
  Depose(epoch);

  bool decided = false;
  std::promise<Status> written;
  TestCall call{{.name = "test", .guid = ProcessGuid("app"), .actor = "test"}};
  call.decide = [&](AppEdit&) {
    decided = true;
    return Status(Done{});
  };
  call.done = [&](const Status& status) { written.set_value(status); };
  store.Submit(std::move(call));
  const Status refused = written.get_future().get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kUnavailable);
  EXPECT_THAT(refused.error().message, HasSubstr("another batond leads now"));
  EXPECT_FALSE(decided);
  deposed_.get_future().wait();  // told at once, not when its lease ends by its own clock

  std::promise<Result<Registry::Registered>> registered;
  registry.RegisterConsumer(ConsumerId("router"), "", seconds(30), [&](const auto& one) { registered.set_value(one); });
  EXPECT_THAT(registered.get_future().get().error().message, HasSubstr("another batond leads now"));
  EXPECT_THAT(collector.DeleteOld().error().message, HasSubstr("another batond leads now"));
}

TEST_F(Fence, ARenewalDoesNotWaitForWhoIsWriting) {
  const std::int64_t epoch = Take(first_);
  const auto writer = OpenSession(url_);
  const FencedEnd end = TransactFenced(*writer, {"leader", epoch}, [&](Session&, TimePoint) {
    EXPECT_TRUE(*first_.Renew(epoch, seconds(30)));  // on the same thread: waiting would be for ever
  });
  EXPECT_TRUE(end.error.ok() && end.leads);
}

// The database's clock was set: what counts time would be decided wrongly until the times are put right. Put back, a commit
// between the jump and the election moved a deadline by the hour that the election moved it by once more: the roll went
// back for want of progress (Clocks, PostgreSQL's own).
TEST_F(Fence, ALeaseThatTheDatabasesClockCannotHaveGivenNeitherWritesNorIsRenewed) {
  std::int64_t epoch = Take(first_);
  const auto writer = OpenSession(url_);
  for (const std::string ends : {"-1 hour", "1 hour"}) {
    const SessionError set = writer->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      return s.RunScript("UPDATE leases SET expires_at = clock_timestamp() + interval '" + ends + "'"), true;
    });
    ASSERT_TRUE(set.ok()) << set.detail;
    const FencedEnd end = TransactFenced(*writer, {"leader", epoch}, [&](Session&, TimePoint) { ADD_FAILURE() << ends; });
    EXPECT_TRUE(end.error.ok() && !end.leads) << ends;
    EXPECT_FALSE(*first_.Renew(epoch, seconds(2))) << ends;
    EXPECT_EQ(Take(first_), ++epoch) << ends;
  }
}

TEST_F(Fence, AnElectionWaitsForWhoIsWriting) {
  const std::int64_t epoch = Take(first_);
  const auto writer = OpenSession(url_);
  std::atomic<bool> committing = false;
  std::future<std::int64_t> next;
  const FencedEnd end = TransactFenced(*writer, {"leader", epoch}, [&](Session&, TimePoint) {
    EXPECT_TRUE(first_.Resign(epoch));
    next = std::async(std::launch::async, [&] {
      const std::int64_t taken = Take(second_);
      EXPECT_TRUE(committing);
      return taken;
    });
    while (!SomebodyWaits(url_) && next.wait_for(milliseconds(5)) == std::future_status::timeout) {
    }
    committing = true;
  });
  EXPECT_TRUE(end.error.ok() && end.leads);
  EXPECT_EQ(next.get(), epoch + 1);
}

// A leader that was put to sleep within its transaction (invariants.md, M2): PostgreSQL ends the transaction.
TEST_F(Fence, AWriterThatFallsAsleepHoldsUpAnElectionForASecondAndAHalf) {
  const std::int64_t epoch = Take(first_);
  const auto writer = OpenSession(url_);
  const FencedEnd end = TransactFenced(*writer, {"leader", epoch}, [&](Session&, TimePoint) {
    EXPECT_TRUE(first_.Resign(epoch));
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(Take(second_), epoch + 1);  // on the writer's own thread: it does nothing meanwhile
    EXPECT_GE(std::chrono::steady_clock::now() - began, seconds(1));
  });
  EXPECT_FALSE(end.error.ok());
}

}  // namespace
}  // namespace baton
