// Every blob is brought to the active key: with writers beside it, killed at every statement, and never clobbering anything.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <future>
#include <semaphore>
#include <thread>

#include "sql/store/pg_store.h"
#include "tests/fakes/statement_sample.h"
#include "tests/schema/pg_tools.h"
#include "tests/sql/key_rotation_test.h"

namespace baton::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(KeyRotationTest, FromPlainToAKeyToAnotherAndBack) {
  Seed(10);
  const Blobs before = Read("a");
  ASSERT_GT(before.size(), 10u * 12);
  EXPECT_THAT(PgDump(url_, {}), HasSubstr("63616e61727920"));  // "canary ", as pg_dump writes bytes
  struct Turn {
    const char* keys;
    const char* label;
  };
  for (const Turn& turn : {Turn{"a", "a"}, Turn{"ba", "b"}, Turn{"b", "b"}, Turn{"cb", "c"}, Turn{"-c", ""}}) {
    ASSERT_EQ(Rotate(turn.keys), RotationState::kDone) << turn.keys;
    EXPECT_EQ(Read(turn.keys), before) << turn.keys;
    ExpectAllSealedWith(turn.label);
    const std::string label = turn.label;
    EXPECT_TRUE(Is("(SELECT count(*) FROM key_labels WHERE active AND label = '" + label + "') = " + (label.empty() ? "0" : "1")));
    EXPECT_TRUE(Is("NOT EXISTS (SELECT FROM key_labels WHERE label <> '" + label + "' AND retired_at IS NULL)"));
    const std::string dump = PgDump(url_, {});
    if (label.empty()) {
      EXPECT_THAT(dump, HasSubstr("63616e61727920"));
    } else {
      EXPECT_THAT(dump, Not(HasSubstr("63616e61727920")));
      EXPECT_THAT(dump, Not(HasSubstr("canary")));
    }
  }
}

TEST_F(KeyRotationTest, WhatIsDoneIsNotDoneAgain) {
  Seed(10);
  ASSERT_EQ(Rotate("a"), RotationState::kDone);
  const std::string dump = PgDump(url_, {"-T", "key_labels"});
  ASSERT_EQ(Rotate("a"), RotationState::kDone);
  ASSERT_EQ(Rotate("ab"), RotationState::kDone) << "a key that is only there changes nothing";
  EXPECT_EQ(PgDump(url_, {"-T", "key_labels"}), dump);
}

// A column that is empty is passed over; the row's others are not.
TEST_F(KeyRotationTest, EmptyColumnsAreNoReasonToPassARowOver) {
  Seed(3);
  Sql("UPDATE desired_lrps SET routes = '\\x42540100', annotation = '' WHERE process_guid = 'app-2'");
  ASSERT_EQ(Rotate("a"), RotationState::kDone);
  ExpectAllSealedWith("a");
  EXPECT_TRUE(Is("(SELECT annotation FROM desired_lrps WHERE process_guid = 'app-2') = ''"));
  EXPECT_EQ(Read("a").at("desired_lrps.credentials app-2 app-2"), "canary credentials 2");
}

TEST_F(KeyRotationTest, ATurnBackInTheMiddleLeavesNothingBehind) {
  Seed(10);
  const Blobs before = Read("a");
  ASSERT_EQ(Rotate("a"), RotationState::kDone);
  {
    const auto process = Lead("ba");
    for (int step = 0; step < 5; ++step) ASSERT_TRUE(process->store->Step(3));
  }
  // The stored key is the active one again, and yet some blobs are the other's.
  ASSERT_EQ(Rotate("ab"), RotationState::kDone);
  ExpectAllSealedWith("a");
  EXPECT_EQ(Read("a"), before);
  EXPECT_TRUE(Is("EXISTS (SELECT FROM key_labels WHERE label = 'b' AND retired_at IS NOT NULL)"));
}

// The hook has the statement fail, as a server does that goes away or is overloaded.
TEST_F(KeyRotationTest, GoesOnAfterAFailureAtEveryStatement) {
  Seed(4);
  const Blobs before = Read("a");
  std::string from = "a", to = "b";
  ASSERT_EQ(Rotate("a"), RotationState::kDone);
  std::atomic<int> left = -1;
  Session::SetHook([&](std::string_view) {
    if (left-- == 0) throw StatementFault{"57014"};
  });
  StatementSample next(5);
  int at = 0, failures = -1;
  for (bool failed = true; failed; ++failures) {
    left = -1;
    const auto process = Lead(to + from);
    at = next();
    left = at - 1;
    failed = false;
    for (RotationState state = RotationState::kWorking; state == RotationState::kWorking;) {
      const auto progress = process->store->Step(2);
      if (progress) state = progress->state;
      if (progress) continue;
      EXPECT_FALSE(std::exchange(failed, true)) << "one failure, and it goes on";
      ASSERT_EQ(Read(to + from), before) << "every blob opens, wherever it stopped";
    }
    left = -1;
    ExpectAllSealedWith(to);
    ASSERT_EQ(Read(to), before) << at;
    std::swap(from, to);
  }
  EXPECT_GT(at, 100);
  std::printf("rotation resumed after a failure at %d statements\n", failures);
}

// A process of its own, that is gone with the statement.
TEST_F(KeyRotationTest, GoesOnAfterAKillAtEveryStatement) {
  Seed(3);
  const Blobs before = Read("a");
  std::string from = "a", to = "b";
  ASSERT_EQ(Rotate("a"), RotationState::kDone);
  StatementSample next(5);
  int at = 0, kills = -1;
  for (bool killed = true; killed; ++kills) {
    at = next();
    WriteKeys(to + from);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      int left = at - 1;
      Session::SetHook([&](std::string_view) {
        if (left-- == 0) kill(getpid(), SIGKILL);
      });
      const auto process = Lead(to + from);
      _exit(process && Finish(*process->store, 2) == RotationState::kDone ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    killed = WIFSIGNALED(status);
    ASSERT_TRUE(killed || WEXITSTATUS(status) == 0) << status;
    AwaitStillness();
    ASSERT_EQ(Read(to + from), before) << at;
    ASSERT_EQ(Rotate(to + from), RotationState::kDone) << at;
    ExpectAllSealedWith(to);
    ASSERT_EQ(Read(to), before) << at;
    std::swap(from, to);
  }
  EXPECT_GT(at, 80);
  std::printf("rotation resumed after SIGKILL at %d statements\n", kills);
}

// A row that somebody holds is neither waited for nor forgotten.
TEST_F(KeyRotationTest, ARowThatSomebodyHoldsComesLater) {
  Seed(10);
  ASSERT_EQ(Rotate("a"), RotationState::kDone);
  const auto process = Lead("ba");
  const auto holder = OpenSession(url_);
  (void)holder->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript(
        "SET LOCAL idle_in_transaction_session_timeout = 0; SELECT * FROM desired_lrps WHERE process_guid = 'app-5' "
        "FOR UPDATE");
    for (int step = 0; step < 200; ++step) {
      const auto progress = process->store->Step(3);
      EXPECT_TRUE(progress && progress->state == RotationState::kWorking) << "not done, and not stuck";
    }
    return true;
  });
  EXPECT_FALSE(Is("EXISTS (SELECT FROM key_labels WHERE label = 'a' AND retired_at IS NOT NULL)"));
  EXPECT_EQ(Finish(*process->store), RotationState::kDone);
  ExpectAllSealedWith("b");
}

// Somebody who writes a row while its page is on its way waits for the page, and what he writes stays.
TEST_F(KeyRotationTest, WhatIsWrittenMeanwhileStays) {
  Seed(10);
  ASSERT_EQ(Rotate("a"), RotationState::kDone);
  const auto process = Lead("ba");
  const std::string fresh = BytesParam(*process->cipher.Seal({"desired_lrps", "annotation", "app-5"}, "fresh"));
  std::future<void> written;
  Session::SetHook([&](std::string_view statement) {
    if (statement != "RewriteBlobs.desired_lrps" || written.valid()) return;
    written = std::async(std::launch::async, [&] {
      Sql("UPDATE desired_lrps SET annotation = '" + fresh + "' WHERE process_guid = 'app-5'");
    });
    while (!SomebodyWaits(url_) && written.wait_for(milliseconds(5)) == std::future_status::timeout) {
    }
    EXPECT_EQ(written.wait_for(milliseconds(0)), std::future_status::timeout) << "the rows of a page are locked";
  });
  EXPECT_EQ(Finish(*process->store, 100), RotationState::kDone);
  ASSERT_TRUE(written.valid());
  written.get();
  const Blobs after = Read("b");
  EXPECT_EQ(after.at("desired_lrps.annotation app-5 app-5"), "fresh");
  EXPECT_EQ(after.at("desired_lrps.routes app-5 app-5"), "canary routes 5");
  ExpectAllSealedWith("b");
}

// Sealed with the old key before the new one came into use, and committed only afterwards.
TEST_F(KeyRotationTest, AWriterThatBeganWithTheOldKeyIsWaitedFor) {
  Seed(3);
  ASSERT_EQ(Rotate("a"), RotationState::kDone);
  const auto process = Lead("ab");
  const std::string late = BytesParam(*process->cipher.Seal({"idempotency_keys", "answer", "late"}, "late"));
  WriteKeys("ba");
  ASSERT_TRUE(process->store->Reload());
  const auto writer = OpenSession(url_);
  std::future<RotationState> rotated;
  const FencedEnd end = TransactFenced(*writer, {"leader", 1}, [&](Session& s, TimePoint) {
    s.RunScript("INSERT INTO idempotency_keys VALUES ('late', 'm', '', '" + late + "', now())");
    rotated = std::async(std::launch::async, [&] { return Finish(*process->store, 100); });
    while (!SomebodyWaits(url_) && rotated.wait_for(milliseconds(5)) == std::future_status::timeout) {
    }
    EXPECT_EQ(rotated.wait_for(milliseconds(0)), std::future_status::timeout) << "done would be a lie";
  });
  ASSERT_TRUE(end.error.ok() && end.leads);
  EXPECT_EQ(rotated.get(), RotationState::kDone);
  ExpectAllSealedWith("b");
  EXPECT_EQ(Read("b").at("idempotency_keys.answer late late"), "late");
}

TEST_F(KeyRotationTest, ADeposedLeaderRewritesNothing) {
  Seed(3);
  const auto process = Lead("a");
  ASSERT_TRUE(process->store->Step(10));
  ASSERT_TRUE(process->store->Step(10));
  Sql("UPDATE leases SET epoch = 2");
  const std::string dump = PgDump(url_, {});
  const auto progress = process->store->Step(10);
  ASSERT_FALSE(progress);
  EXPECT_THAT(progress.error().message, HasSubstr("another batond leads now"));
  EXPECT_EQ(PgDump(url_, {}), dump);
}

// The largest blobs do not come a thousand at a time.
TEST_F(KeyRotationTest, APageIsBoundedInBytesToo) {
  Seed(1);
  Sql("INSERT INTO idempotency_keys SELECT 'large-' || n, 'm', '', '\\x42540100'::bytea || "
      "decode(repeat('ab', 1000000), 'hex'), now() FROM generate_series(1, 20) AS n");
  const auto process = Lead("a");
  std::int64_t before = 0;
  for (;;) {
    const auto progress = process->store->Step(1000);
    ASSERT_TRUE(progress);
    if (progress->state == RotationState::kDone) break;
    EXPECT_LE(progress->rows_done - before, 6) << "of a million bytes each";
    before = progress->rows_done;
  }
  ExpectAllSealedWith("a");
}

class RotationBesideWriters : public KeyRotationTest {
 protected:
  static TestCall Count(const std::string& guid) {
    TestCall call{{.name = "count", .guid = ProcessGuid(guid), .actor = "test"}};
    call.decide = [](AppEdit& edit) {
      std::string& annotation = edit.ChangeDesired().annotation;
      annotation = std::to_string(std::stoi(annotation) + 1);
      return Status(Done{});
    };
    return call;
  }
};

// A write to each step of the rotation. Writers that do not wait keep most of the rows locked on a busy machine: a pass
// goes past locked rows, so it had to be made again and again, 4000 rounds of writes long, and once did not end in 300
// s.
TEST_F(RotationBesideWriters, NoWriteIsLostAndNoneIsMissed) {
  Seed(200);
  const auto process = Lead("a");
  ASSERT_EQ(Finish(*process->store, 100), RotationState::kDone);
  PgStore store({.url = url_, .writers = 2, .cipher = &process->cipher}, log_, [] {});
  store.Lead({"leader", 1});
  store.ExtendUntil(std::chrono::steady_clock::now() + std::chrono::hours(1));
  const auto submit = [&](TestCall call) {
    auto answer = std::make_shared<std::promise<Status>>();
    call.done = [answer](const Status& status) { answer->set_value(status); };
    store.Submit(std::move(call));
    return answer->get_future().get();
  };
  std::array<int, 20> writes{};
  const auto busy = [](std::size_t app) { return "busy-" + std::to_string(app); };
  for (std::size_t app = 0; app < writes.size(); ++app) ASSERT_TRUE(submit(Desire(busy(app))));
  std::counting_semaphore<> stepped(0);
  std::jthread writing([&](const std::stop_token& stop) {
    const std::stop_callback wake(stop, [&] { stepped.release(); });
    for (std::size_t app = 0;; app = (app + 1) % writes.size()) {
      stepped.acquire();
      if (stop.stop_requested()) return;
      EXPECT_TRUE(submit(Count(busy(app))));
      ++writes[app];
    }
  });
  std::string from = "a", to = "b";
  for (int turn = 0; turn < 6; ++turn) {
    WriteKeys(to + from);
    ASSERT_TRUE(process->store->Reload());
    ASSERT_EQ(Finish(*process->store, 50, [&] { stepped.release(); }), RotationState::kDone) << turn;
    EXPECT_TRUE(Is("(SELECT retired_at IS NOT NULL FROM key_labels WHERE label = '" + from + "')"));
    ExpectAllSealedWith(to);  // with writers beside it
    std::swap(from, to);
  }
  writing.request_stop();
  writing.join();
  store.Stop();
  const Blobs after = Read(from);
  for (std::size_t app = 0; app < writes.size(); ++app) {
    EXPECT_GT(writes[app], 5);
    EXPECT_EQ(after.at("desired_lrps.annotation " + busy(app) + " " + busy(app)), std::to_string(writes[app]))
        << "a write was lost";
  }
  EXPECT_EQ(after.at("desired_lrps.credentials app-7 app-7"), "canary credentials 7");
}

}  // namespace
}  // namespace baton::testing
