// Of a large app only what was written since is read again, and that is as if all of it were: whatever others write,
// and whenever they commit it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "orchestrator/base/uuid.h"
#include "orchestrator/roll/open_slots.h"
#include "tests/fakes/long_form.h"
#include "tests/sql/pg_store_test.h"

namespace baton {
namespace {

using ::testing::Contains;
using ::testing::Not;

const ProcessGuid kKnown("app");

// Those that say nothing are made by any step of their slot, and not by a read.
std::map<int, SlotLog> Telling(std::map<int, SlotLog> logs) {
  std::erase_if(logs, [](const auto& entry) {
    const SlotLog& log = entry.second;
    return log.failed_attempts == 0 && !log.last_failure_at && log.last_failure.empty() && !log.handed_over &&
           log.late_failures == 0;
  });
  return logs;
}

class KnownRowsTest : public PgStoreTest {
 protected:
  static void SetUpTestSuite() {
    Session::SetHook([](std::string_view statement) {
      const std::lock_guard lock(mutex_);
      asked_.insert(std::string(statement));
    });
  }
  static void TearDownTestSuite() { Session::SetHook(nullptr); }

  KnownRowsTest() {
    Sql("INSERT INTO cells (cell_id, zone, address, memory_mb, disk_mb, pids, containers, stacks, placement_tags, "
        "abilities, enforces, version, first_seen_at, lease_expires_at) "
        "VALUES ('cell', '', '', 0, 0, 0, 0, '{}', '{}', '{}', '{}', '', now(), 'infinity')");
    EXPECT_TRUE(Do(Desire(kKnown, 5)));
    EXPECT_TRUE(Change([](AppEdit& edit) {
      for (int index = 0; index < 5; ++index) Insert(edit, index);
    }));
  }

  // It serves.
  static void Insert(AppEdit& edit, int index) {
    edit.Insert({.incarnation = edit.state().desired->incarnation,
                 .index = index,
                 .definition = DefinitionId("v1"),
                 .state = LrpState::kRunning,
                 .instance_guid = InstanceGuid(RandomUuid()),
                 .cell_id = CellId("cell"),
                 .routable = true,
                 .routable_since = edit.now() - std::chrono::hours(1),
                 .claimed_at = edit.now() - std::chrono::hours(1)});
  }
  Status Change(std::function<void(AppEdit&)> change) {
    TestCall call{{.name = "change", .guid = kKnown, .actor = "test"}};
    call.decide = [change = std::move(change)](AppEdit& edit) {
      change(edit);
      return Status(Done{});
    };
    return Do(std::move(call));
  }
  // What a batch decides from, and what statements read it.
  struct Seen {
    std::map<ActualId, ActualLrp> actuals;
    std::map<int, SlotLog> logs;
    int quiet = 0;            // slots
    bool quiet_is_so = true;  // by the rows
    int tries = 0;
    std::set<std::string> asked;
  };
  Seen Look() {
    Seen seen;
    {
      const std::lock_guard lock(mutex_);
      asked_.clear();
    }
    EXPECT_TRUE(Change([&](AppEdit& edit) {
      ++seen.tries;
      seen.actuals = edit.state().actuals;
      seen.logs = Telling(edit.state().slot_logs);
      Plan plan;
      SlotBoard board(edit, plan, BoardOf::kOpenSlots);
      seen.quiet_is_so = IsAsNew(board);
      LeaveQuiet(board);
      seen.quiet = static_cast<int>(edit.state().quiet.seats().size());
    }));
    const std::lock_guard lock(mutex_);
    seen.asked = asked_;
    return seen;
  }
  // All of it, by somebody else.
  Seen Rows() {
    Seen there;
    const auto session = OpenSession(direct_url_);
    (void)session->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
      const AppState app = LoadApps(s, {.apps = {kKnown}}).apps.at(kKnown);
      there.actuals = app.actuals;
      there.logs = Telling(app.slot_logs);
      return true;
    });
    return there;
  }
  void ExpectSeen(const std::string& after, int tries = 1) {
    const Seen seen = Look();
    const Seen there = Rows();
    EXPECT_TRUE(seen.actuals == there.actuals) << after;
    ASSERT_EQ(seen.logs.size(), there.logs.size()) << after;
    for (const auto& [index, log] : there.logs) {
      EXPECT_EQ(seen.logs.at(index).failed_attempts, log.failed_attempts) << after;
      EXPECT_EQ(seen.logs.at(index).last_failure, log.last_failure) << after;
      EXPECT_EQ(seen.logs.at(index).last_failure_at, log.last_failure_at) << after;
      EXPECT_EQ(seen.logs.at(index).handed_over, log.handed_over) << after;
      EXPECT_EQ(seen.logs.at(index).late_failures, log.late_failures) << after;
    }
    EXPECT_EQ(seen.tries, tries) << after;
    EXPECT_TRUE(seen.quiet_is_so) << after;
  }
  static std::string Row(int index) {
    return "(SELECT actual_id FROM actual_lrps WHERE process_guid = 'app' ORDER BY actual_id OFFSET " +
           std::to_string(index) + " LIMIT 1)";
  }
  static std::string Zone(int index, const std::string& zone = "theirs") {
    return "UPDATE actual_lrps SET zone = '" + zone + "' WHERE actual_id = " + Row(index);
  }
  static std::string Insertion(int index) {
    return "INSERT INTO actual_lrps SELECT (jsonb_populate_record(a, jsonb_build_object('actual_id', '" + RandomUuid() +
           "', 'instance_index', " + std::to_string(index) +
           "))).* FROM actual_lrps a WHERE a.process_guid = 'app' ORDER BY a.actual_id LIMIT 1";
  }

 private:
  static inline std::mutex mutex_;
  static inline std::set<std::string> asked_;
};

TEST_F(KnownRowsTest, OnlyWhatWasWrittenIsReadAgain) {
  const Seen seen = Look();
  EXPECT_THAT(seen.asked, Contains("ReadWrittenActuals"));
  EXPECT_THAT(seen.asked, Not(Contains("ReadGuardedActuals")));
  EXPECT_THAT(seen.asked, Not(Contains("ReadSlotLogs")));
  ExpectSeen("nothing");
  EXPECT_EQ(Look().quiet, 5);
}

TEST_F(KnownRowsTest, WhatSomebodyElseWroteIsSeen) {
  ExpectSeen("nothing");
  Sql(Zone(2));
  ExpectSeen("a change");
  Sql("UPDATE actual_lrps SET retire_asked = true WHERE actual_id = " + Row(2));
  ExpectSeen("one that is asked to go");
  Sql("UPDATE actual_lrps SET instance_index = instance_index + 20 WHERE actual_id = " + Row(3));
  ExpectSeen("one in another slot");
  Sql("UPDATE cells SET draining = true");
  ExpectSeen("a cell that drains");
  Sql("UPDATE cells SET draining = false");
  ExpectSeen("a cell that drains no more");
  Sql(Insertion(7));
  ExpectSeen("one more");
  SqlAlone("VACUUM FULL actual_lrps");
  ExpectSeen("VACUUM FULL");
  SqlAlone("VACUUM FREEZE actual_lrps");
  ExpectSeen("VACUUM FREEZE");
}

TEST_F(KnownRowsTest, WhatSomebodyElseRemovedIsGone) {
  Sql("DELETE FROM actual_lrps WHERE actual_id = " + Row(1));
  ExpectSeen("a removal", /*tries=*/1);  // the first try does not come to decide
  EXPECT_EQ(store_.counts().retries, 1u);
  Sql("DELETE FROM actual_lrps WHERE actual_id = " + Row(0) + "; " + Insertion(9));
  ExpectSeen("one for another");
  Sql("DELETE FROM actual_lrps");
  ExpectSeen("all");
}

// A row that is written and not committed while the app is read counts as written since.
TEST_F(KnownRowsTest, WhatWasUnderWayWhenTheAppWasReadIsSeen) {
  const auto other = OpenSession(direct_url_);
  const SessionError error = other->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript("SET LOCAL idle_in_transaction_session_timeout = 0; " + Zone(3));
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(Change([](AppEdit& edit) { edit.ChangeDesired().instances++; }));
      ExpectSeen("it is under way");
    }
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
  ExpectSeen("it is committed");
}

TEST_F(KnownRowsTest, ABatchThatWritesNothingKnowsNothingButRows) {
  TestCall call{{.name = "refused", .guid = kKnown, .actor = "test"}};
  call.decide = [](AppEdit& edit) {
    edit.Remove(edit.state().actuals.begin()->first);
    edit.Change(edit.state().actuals.begin()->first).zone = "never";
    Insert(edit, 8);
    edit.LogStep({.kind = StepKind::kAttemptFailed, .index = 0, .text = "never"});
    return Status(Error{ErrorKind::kAborted, "it is refused", {}});
  };
  EXPECT_FALSE(Do(std::move(call)));
  ExpectSeen("a refusal");
  EXPECT_FALSE(Change([](AppEdit& edit) {
    Insert(edit, 2);  // a second one in its slot: the database refuses it
    const auto another =
        std::ranges::find_if(edit.state().actuals, [](const auto& one) { return one.second.index == 4; });
    edit.Remove(another->first);
    edit.LogStep({.kind = StepKind::kAttemptFailed, .index = 0, .text = "never"});
  }));
  ExpectSeen("a batch that failed");
}

// As another layout's writer does: each step is a revision of the roll.
TEST_F(KnownRowsTest, StepsThatSomebodyElseLoggedAreRead) {
  EXPECT_TRUE(
      Change([](AppEdit& edit) { edit.LogStep({.kind = StepKind::kAttemptFailed, .index = 0, .text = "ours"}); }));
  ExpectSeen("a step of ours");
  Sql("INSERT INTO roll_steps SELECT (jsonb_populate_record(s, jsonb_build_object('sequence', s.sequence + 1, "
      "'instance_index', 3))).* "
      "FROM roll_steps s ORDER BY s.sequence DESC LIMIT 1; UPDATE rolls SET revision = revision + 1");
  ExpectSeen("a step of theirs");
  EXPECT_EQ(Look().logs.size(), 2u);
  EXPECT_EQ(Look().quiet, 3);
}

TEST_F(KnownRowsTest, AnotherServerCountsTransactionsByItself) {
  const auto session = OpenSession(direct_url_);
  const auto written = [&](const std::string& since) {
    std::size_t rows = 0;
    const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      const auto at =
          s.RunScript("SELECT pg_snapshot_xmax(pg_current_snapshot())::xid AS horizon, (" + since + ") AS server");
      for (const auto row : s.Run("ReadWrittenActuals",
                                  {"{app}", "{" + at[0].Text("horizon") + "}", "{\"" + at[0].Text("server") + "\"}"})) {
        rows += row.IsNull("actual_id") ? 0 : 1;
        EXPECT_EQ(row.Int("there"), 5);
      }
      return true;
    });
    EXPECT_TRUE(error.ok()) << error.detail;
    return rows;
  };
  const std::string started = "SELECT concat_ws(' ', pg_postmaster_start_time()";
  const std::string crashed = ", pg_stat_get_bgwriter_stat_reset_time()";
  EXPECT_EQ(written(started + crashed + ")"), 0u);
  EXPECT_EQ(written(started + " - interval '1 microsecond'" + crashed + ")"), 5u);
  EXPECT_EQ(written(started + crashed + " - interval '1 microsecond')"), 5u) << "some of its transactions may have been lost";
}

// Whatever others do between two batches, the next one sees all of it.
TEST_F(KnownRowsTest, IsAsIfAllWereRead) {
  std::mt19937 random(static_cast<unsigned>(LongForm("BATON_EDIT_SEED", 7)));
  const auto below = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  int index = 10;
  for (int round = 0; round < LongForm("BATON_EDIT_ROUNDS", 120); ++round) {
    const int which = below(12);
    const int row = below(5);
    switch (which) {
      case 0: Sql(Zone(row, std::to_string(round))); break;
      case 1: Sql(Insertion(++index)); break;
      case 2: Sql("DELETE FROM actual_lrps WHERE actual_id = " + Row(row)); break;
      case 3:
        Sql(Zone(row) + "; DELETE FROM actual_lrps WHERE actual_id = " + Row(0) + "; " + Insertion(++index));
        break;
      case 4: SqlAlone("VACUUM FREEZE actual_lrps"); break;
      case 5: EXPECT_TRUE(Change([&](AppEdit& edit) { Insert(edit, ++index); })); break;
      case 6:
        EXPECT_TRUE(Change([&](AppEdit& edit) {
          if (!edit.state().actuals.empty()) edit.Remove(edit.state().actuals.begin()->first);
        }));
        break;
      case 7:
        EXPECT_TRUE(Change([&](AppEdit& edit) {
          for (const auto& [id, lrp] : edit.state().actuals) edit.Change(id).crash_count = round;
        }));
        break;
      case 8:
        EXPECT_TRUE(Change([&](AppEdit& edit) {
          edit.LogStep(
              {.kind = below(3) > 0 ? StepKind::kAttemptFailed : StepKind::kHandedOver, .index = row, .text = "step"});
        }));
        break;
      case 9: Sql("UPDATE actual_lrps SET retire_asked = NOT retire_asked WHERE actual_id = " + Row(row)); break;
      case 10:
        Sql("UPDATE actual_lrps SET instance_index = " + std::to_string(++index) + " WHERE actual_id = " + Row(row));
        break;
      default: EXPECT_TRUE(Change([](AppEdit& edit) { edit.CountFailuresAnew(); }));
    }
    if (below(3) == 0) continue;  // several before the next look
    ExpectSeen("round " + std::to_string(round) + ", " + std::to_string(which));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace baton
