// What a convergence pass counts, against rows that are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "orchestrator/model/names.h"
#include "sql/read/sweep_reader.h"
#include "sql/session/statements.h"
#include "tests/sql/pg_store_test.h"

namespace baton {
namespace {

class SweepOfRows : public PgStoreTest {
 protected:
  void Insert(int index, Presence presence, LrpState state, bool routable, const std::string& guid = "app") {
    TestCall call{{.name = "insert", .guid = ProcessGuid(guid), .actor = "test"}};
    call.decide = [=](AppEdit& edit) {
      ActualLrp lrp;
      lrp.incarnation = edit.state().desired->incarnation;
      lrp.domain = "test";
      lrp.index = index;
      lrp.presence = presence;
      lrp.definition = DefinitionId("v1");
      lrp.state = state;
      if (MayRun(lrp))
        lrp.instance_guid = InstanceGuid("run"), lrp.cell_id = CellId("cell-1"), lrp.claimed_at = edit.now();
      if ((lrp.routable = routable)) lrp.routable_since = edit.now();
      if (presence == Presence::kRetiring) {
        lrp.retiring_since = lrp.drain_not_before = lrp.drain_until = edit.now();
      }
      edit.Insert(lrp);
      return Status(Done{});
    };
    const Status inserted = Do(std::move(call));
    ASSERT_TRUE(inserted) << inserted.error().message;
  }
  // As by hand: no foreign key is asked.
  void Hand(const std::string& sql) {
    const SessionError error =
        OpenSession(direct_url_)->Transact(Session::Isolation::kReadCommitted, [&](Session& session) {
          return session.RunScript("SET LOCAL session_replication_role = replica; " + sql), true;
        });
    ASSERT_TRUE(error.ok()) << error.detail;
  }
  SweepView Sweep(PassKind kind) {
    SweepView view;
    const SessionError error = OpenSession(direct_url_)->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& session) {
      view = ReadSweepView(session, kind);
      return true;
    });
    EXPECT_TRUE(error.ok()) << error.detail;
    return view;
  }
};

TEST_F(SweepOfRows, InstancesByStateAndSlotsThatTakeRequests) {
  ASSERT_TRUE(Do(Desire(ProcessGuid("app"), 4)));
  Insert(0, Presence::kOrdinary, LrpState::kRunning, true);
  Insert(0, Presence::kSurge, LrpState::kRunning, true);
  Insert(1, Presence::kOrdinary, LrpState::kRunning, false);
  Insert(2, Presence::kOrdinary, LrpState::kCrashed, false);
  Insert(2, Presence::kRetiring, LrpState::kRunning, true);
  Insert(4, Presence::kOrdinary, LrpState::kRunning, true);  // beyond what is wanted
  const SweepView view = Sweep(PassKind::kCount);
  using Kind = std::pair<LrpState, Presence>;
  const std::map<Kind, std::int64_t> instances = {{{LrpState::kRunning, Presence::kOrdinary}, 3},
                                                  {{LrpState::kRunning, Presence::kSurge}, 1},
                                                  {{LrpState::kCrashed, Presence::kOrdinary}, 1},
                                                  {{LrpState::kRunning, Presence::kRetiring}, 1}};
  EXPECT_EQ(view.fleet.instances, instances);
  EXPECT_EQ(view.fleet.slots, 4);
  EXPECT_EQ(view.fleet.slots_served, 1);
  EXPECT_EQ(Sweep(PassKind::kIncremental).fleet.slots, 0) << "each 30 s is enough";
}

// What is counted from indexes and the few that do not simply run, against all rows looked through.
TEST_F(SweepOfRows, TheFleetIsWhatAllRowsSay) {
  constexpr Presence kPresences[] = {Presence::kOrdinary, Presence::kSurge, Presence::kSuspect, Presence::kEvacuating, Presence::kRetiring};
  constexpr LrpState kStates[] = {LrpState::kUnclaimed, LrpState::kClaimed, LrpState::kRunning, LrpState::kCrashed};
  std::mt19937 random(1);
  const auto one_of = [&random](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int app = 0; app < 24; ++app) {
    const std::string guid = "app-" + std::to_string(app);
    const int wanted = one_of(5);
    const bool settled = one_of(3) == 0;  // all of it simply runs
    ASSERT_TRUE(Do(Desire(ProcessGuid(guid), wanted)));
    for (int index = 0; index < (settled ? wanted : 6); ++index) {
      for (const Presence presence : kPresences) {
        if (settled ? presence != Presence::kOrdinary : one_of(3) > 0) continue;
        LrpState state = settled || one_of(2) == 0 ? LrpState::kRunning : kStates[one_of(4)];
        if (presence != Presence::kOrdinary && state != LrpState::kRunning) state = LrpState::kClaimed;
        Insert(index, presence, state, state == LrpState::kRunning && (settled || one_of(3) > 0), guid);
      }
    }
  }
  Hand("DELETE FROM desired_lrps WHERE process_guid IN ('app-3', 'app-7'); "
       "UPDATE actual_lrps SET incarnation = incarnation + 1 WHERE process_guid = 'app-11'");
  const SweepView view = Sweep(PassKind::kCount);
  const FleetCount& fleet = view.fleet;
  std::vector<std::string> counts, differing;
  for (const CountSight& app : view.counts) {
    counts.push_back(app.guid.str() + " " + std::to_string(app.wanted) + " " + std::to_string(app.rows) + " " + std::to_string(app.highest));
  }
  FleetCount all;
  const SessionError error = OpenSession(direct_url_)->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& session) {
    for (const auto row : session.RunScript("SELECT state, presence, count(*) AS instances FROM actual_lrps GROUP BY state, presence")) {
      all.instances[{*ParseLrpState(row.Text("state")), *ParsePresence(row.Text("presence"))}] = row.Int("instances");
    }
    all.slots = session.RunScript("SELECT sum(instances) FROM desired_lrps")[0].Int();
    all.slots_served = session.RunScript(
        "SELECT count(*) FROM (SELECT DISTINCT a.process_guid, a.instance_index FROM actual_lrps a "
        "JOIN desired_lrps d USING (process_guid, incarnation) WHERE a.instance_index < d.instances AND a.state = 'RUNNING' "
        "AND a.routable_since IS NOT NULL AND a.presence <> 'RETIRING') served")[0].Int();
    for (const auto row : session.RunScript(
             "SELECT concat_ws(' ', process_guid, instances, coalesce(rows, 0), coalesce(highest, -1)) FROM desired_lrps LEFT JOIN ("
             "SELECT process_guid, incarnation, count(*) AS rows, max(instance_index) AS highest FROM actual_lrps "
             "WHERE presence = 'ORDINARY' GROUP BY process_guid, incarnation) a USING (process_guid, incarnation) "
             "WHERE instances <> coalesce(rows, 0) OR highest >= instances")) {
      differing.push_back(row.Text());
    }
    return true;
  });
  ASSERT_TRUE(error.ok()) << error.detail;
  EXPECT_THAT(counts, ::testing::UnorderedElementsAreArray(differing));
  EXPECT_EQ(fleet.instances, all.instances);
  EXPECT_EQ(fleet.slots, all.slots);
  EXPECT_EQ(fleet.slots_served, all.slots_served);
  EXPECT_GT(all.slots_served, 10);
}

// It is stored as a blob, as all text of a roll is.
TEST_F(SweepOfRows, AHeldRollSaysWhyItWaits) {
  ASSERT_TRUE(Do(Desire(ProcessGuid("app"), 1)));
  ASSERT_EQ(Sweep(PassKind::kIncremental).open_rolls.size(), 1u);
  EXPECT_EQ(Sweep(PassKind::kIncremental).open_rolls[0].reason, "") << "nobody is waited for";
  Hand("UPDATE rolls SET state = 'HELD', reason = '\\x42540100' || convert_to('slot 0 crashed', 'UTF8')");
  EXPECT_EQ(Sweep(PassKind::kIncremental).open_rolls[0].state, RollState::kHeld);
  EXPECT_EQ(Sweep(PassKind::kIncremental).open_rolls[0].reason, "slot 0 crashed");
}

// They simply run, so nothing else sees them.
// Nobody has analyzed the tables: a join of an app's rows with themselves read 190,000 pages for one of 1,000
// instances.
TEST_F(SweepOfRows, AnAppOfManyIsLookedThroughOnceThoughNothingIsAnalyzed) {
  constexpr int kSlots = 1500;
  ASSERT_TRUE(Do(Desire(ProcessGuid("app"), kSlots)));
  Insert(0, Presence::kOrdinary, LrpState::kRunning, true);
  Hand(
      "INSERT INTO actual_lrps SELECT (jsonb_populate_record(a, jsonb_build_object('actual_id', 'copy-' || g, "
      "'instance_index', g))).* "
      "FROM actual_lrps a, generate_series(1, " +
      std::to_string(kSlots - 1) + ") g");
  Insert(0, Presence::kEvacuating, LrpState::kRunning, true);
  EXPECT_EQ(Sweep(PassKind::kIncremental).instances.size(), 2u) << "it, and the ORDINARY one of its slot";
  std::string plan;
  const SessionError error =
      OpenSession(direct_url_)->Transact(Session::Isolation::kReadCommitted, [&](Session& session) {
        const std::string statement(Statement("SweepUnsettled"));
        plan = session.RunScript("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + statement)[0].Text();
        return true;
      });
  ASSERT_TRUE(error.ok()) << error.detail;
  const auto pages = nlohmann::json::parse(plan)[0]["Plan"]["Shared Hit Blocks"].get<int>();
  EXPECT_LT(pages, kSlots) << plan;
}

TEST_F(SweepOfRows, OrdinaryOnesOfAnOlderIncarnationAreNobodysThoughTheNumberIsRight) {
  ASSERT_TRUE(Do(Desire(ProcessGuid("app"), 1)));
  Insert(0, Presence::kOrdinary, LrpState::kRunning, true);
  Hand(
      "INSERT INTO actual_lrps SELECT (jsonb_populate_record(a, '{\"actual_id\": \"old\", \"incarnation\": 1000}')).* "
      "FROM actual_lrps a");
  const SweepView view = Sweep(PassKind::kCount);
  EXPECT_TRUE(view.counts.empty());
  EXPECT_EQ(std::ranges::count(view.instances, false, &InstanceSight::present), 1);
}

TEST_F(SweepOfRows, AnAppThatNamesOneDefinitionThatIsNotThereThoughItHasAnother) {
  ASSERT_TRUE(Do(Desire(ProcessGuid("app"), 0)));
  Hand(
      "INSERT INTO definitions SELECT (jsonb_populate_record(d, '{\"definition_identifier\": \"v2\"}')).* FROM "
      "definitions d");
  EXPECT_TRUE(Sweep(PassKind::kAudit).faults.empty());
  Hand("DELETE FROM definitions WHERE definition_identifier = 'v1'");
  std::vector<std::string> said;
  for (const Finding& fault : Sweep(PassKind::kAudit).faults) said.push_back(fault.what);
  EXPECT_THAT(said, ::testing::Contains("desired_lrps app names definition v1, which is not there"));
}

}  // namespace
}  // namespace baton
