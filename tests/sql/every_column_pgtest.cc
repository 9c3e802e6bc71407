// Every column of every table that a decision writes is stored: by the statement that inserts and by the one that updates.
// `drained_by` was once left out of UpdateActuals, and everything but one scene stayed green: drains took as long as their
// timeouts. The database is asked which columns there are, so that a new one is looked at by itself.
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "orchestrator/wire/stored/stored.h"
#include "sql/session/statements.h"
#include "tests/schema/pg_tools.h"
#include "tests/sql/pg_store_test.h"

namespace baton {
namespace {

const ProcessGuid kColumnsApp("app");

// By table, what names a row and what is never changed by an update.
const std::map<std::string, std::set<std::string>>& NeverUpdated() {
  static const std::map<std::string, std::set<std::string>> kColumns = [] {
    // What no decision changes although a statement could, or what is random; a database default.
    std::map<std::string, std::set<std::string>> never = {
        {"actual_lrps", {"modification_tag_epoch", "format"}},
        {"definitions", {}},
        {"desired_lrps", {"incarnation", "created_at", "modification_tag_epoch"}},
        {"rolls", {"incarnation", "roll_id", "opened_at", "actor"}}};
    for (auto& [table, columns] : never) {
      for (const ListedColumn& column : Lists().find(table)->second) {
        if (column.key || column.fixed) columns.insert(column.name);
      }
    }
    return never;
  }();
  return kColumns;
}

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  int Below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool Flip() { return Below(2) == 0; }
  std::string Word() { return "w" + std::to_string(random_()); }
  TimePoint Time() { return TimePoint(std::chrono::microseconds(1'700'000'000'000'000 + Below(1 << 30))); }
  Duration Span() { return milliseconds(Below(1 << 20)); }
  std::optional<TimePoint> MaybeTime() { return Flip() ? std::optional(Time()) : std::nullopt; }
  std::set<ConsumerId> Consumers() {
    std::set<ConsumerId> all;
    for (int i = Below(4); i > 0; --i) all.insert(ConsumerId(Word()));
    return all;
  }

 private:
  std::mt19937 random_;
};

// Encoded: whoever reads the row refuses what is not.
std::string MetricTags(Dice& dice) {
  google::protobuf::Map<std::string, v1::MetricTagValue> tags;
  for (int i = dice.Below(4); i > 0; --i) tags[dice.Word()].set_static_(dice.Word());
  return wire::EncodeMetricTags(tags);
}

// Random, and as the constraints of the table want it.
void Shuffle(Dice& dice, ActualLrp& lrp) {
  constexpr Presence kPresences[] = {Presence::kOrdinary, Presence::kRetiring};
  constexpr LrpState kStates[] = {LrpState::kUnclaimed, LrpState::kClaimed, LrpState::kRunning, LrpState::kCrashed};
  lrp.presence = kPresences[dice.Below(2)];
  const bool retires = lrp.presence == Presence::kRetiring;
  lrp.state = kStates[retires ? 1 + dice.Below(2) : dice.Below(4)];
  const bool runs = lrp.state == LrpState::kRunning;
  lrp.roll_id = dice.Flip() ? RollId(dice.Word()) : RollId();
  lrp.instance_guid = MayRun(lrp) ? InstanceGuid(dice.Word()) : InstanceGuid();
  lrp.cell_id = MayRun(lrp) ? CellId(dice.Word()) : CellId();
  lrp.net_info = {dice.Word(), dice.Word(), {{8080, static_cast<std::uint32_t>(1 + dice.Below(60000))}}};
  lrp.net_info.ports[0].host_tls_proxy_port = static_cast<std::uint32_t>(1 + dice.Below(60000));
  lrp.net_info.preferred_address = dice.Flip() ? PreferredAddress::kHost : PreferredAddress::kInstance;
  lrp.net_info.instance_ipv6_address = dice.Word();
  lrp.labels = {{dice.Word()}, {{dice.Word(), dice.Word()}}};
  lrp.zone = dice.Word();
  lrp.since = dice.Time();
  lrp.ended_starts = {InstanceGuid(dice.Word())};
  lrp.routable_since = runs ? dice.MaybeTime() : std::nullopt;
  lrp.routable = lrp.routable_since.has_value();
  lrp.claimed_at = dice.MaybeTime();
  lrp.handed_over_at = dice.MaybeTime();
  lrp.down_since = dice.MaybeTime();
  lrp.crash_count = dice.Below(1000);
  lrp.crash_reason = dice.Word();
  lrp.placement_error = dice.Word();
  lrp.retire_asked = dice.Flip();
  lrp.applied_by = dice.Consumers();
  lrp.drained_by = dice.Consumers();
  lrp.retiring_since = retires ? std::optional(dice.Time()) : std::nullopt;
  lrp.awaits_drain = dice.Flip();
  lrp.drain_not_before = dice.Time();
  lrp.drain_until = dice.Time();
  lrp.stop_ordered_at = retires ? dice.MaybeTime() : std::nullopt;
}

void Shuffle(Dice& dice, DesiredLrp& desired) {
  desired.domain = dice.Word();
  desired.log_guid = dice.Word();
  desired.instances = dice.Below(1000);
  desired.routes.payloads = {{dice.Word(), dice.Word()}};
  desired.routes.bindings[DefinitionId("v1")][RouteNamed(dice.Word())] = {8080};
  desired.annotation = dice.Word();
  desired.metric_tags = MetricTags(dice);
  desired.image_username = dice.Word();
  desired.image_password = dice.Word();
  desired.strategy.min_healthy_time = dice.Span();
  desired.definition_history = dice.Flip() ? std::optional(dice.Below(100)) : std::nullopt;
  desired.active = DefinitionId(dice.Flip() ? "v1" : "v2");
  desired.healthy = DefinitionId(dice.Flip() ? "v1" : "");
}

void Shuffle(Dice& dice, Roll& roll) {
  roll.source = DefinitionId(dice.Flip() ? "v1" : "");
  roll.target = DefinitionId(dice.Flip() ? "v1" : "v2");
  roll.reason = dice.Word();
  roll.revision += 1 + dice.Below(9);
  roll.paused_by_hand = dice.Flip();
  roll.stage_since = dice.MaybeTime();
  const bool paused = roll.paused_by_hand || roll.stage_since;
  roll.state = paused ? RollState::kPaused : dice.Flip() ? RollState::kRolling : RollState::kHeld;
  roll.deadline = dice.Time();
  roll.clock_stopped_at = dice.MaybeTime();
  roll.waiting_since = dice.MaybeTime();
  roll.proved_at = dice.MaybeTime();
  roll.last_hand_over_at = dice.MaybeTime();
  roll.stages_done = dice.Below(9);
  roll.verdict = dice.Word();
  roll.condemned = dice.Word();
  roll.waited = dice.Span();
  roll.waits_from = dice.MaybeTime();
  roll.counted_from = dice.Below(1 << 20);
  roll.refused = dice.Flip();
  roll.strategy.min_healthy_time = dice.Span();
}

class EveryColumn : public PgStoreTest {
 protected:
  AppState Stored() {
    LoadedApps loaded;
    const auto session = OpenSession(direct_url_);
    (void)session->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
      loaded = LoadApps(s, {.apps = {kColumnsApp}});
      return true;
    });
    EXPECT_TRUE(loaded.broken.empty());
    return loaded.apps.at(kColumnsApp);
  }

  // The values of each column as PostgreSQL shows them, over all rows, in order.
  std::map<std::string, std::string> Columns(const std::string& table) {
    std::istringstream lines(baton::testing::Psql(
        direct_url_, "SELECT e.key, string_agg(coalesce(e.value, 'null'), ',' ORDER BY to_jsonb(t)->>'actual_id', to_jsonb(t)->>'definition_identifier') FROM " + table +
                         " AS t, jsonb_each_text(to_jsonb(t)) AS e GROUP BY 1"));
    std::map<std::string, std::string> columns;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t bar = line.find('|');
      if (bar != std::string::npos) columns[line.substr(0, bar)] = line.substr(bar + 1);
    }
    return columns;
  }

  Status Edit(std::function<void(AppEdit&)> change) {
    TestCall call{{.name = "shuffle", .guid = kColumnsApp, .actor = "test"}};
    call.decide = [change = std::move(change)](AppEdit& edit) {
      change(edit);
      return Status(Done{});
    };
    return Do(std::move(call));
  }
};

TEST_F(EveryColumn, IsStoredByTheStatementThatInsertsAndByTheOneThatUpdates) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Dice dice(seed);
  ASSERT_TRUE(Do(Desire(kColumnsApp, 0)));
  ASSERT_TRUE(Edit([&](AppEdit& edit) {
    Definition second = edit.state().definitions.begin()->second;
    second.id = DefinitionId("v2");
    second.content_hash = std::string(64, 'b');
    edit.InsertDefinition(edit.state().desired->incarnation, second, "run info");
    for (int index = 0; index < 3; ++index) {
      ActualLrp lrp;
      lrp.incarnation = edit.state().desired->incarnation;
      lrp.domain = "test";
      lrp.index = index;
      lrp.definition = DefinitionId("v1");
      ActualLrp& row = edit.Insert(lrp);
      Shuffle(dice, row);
    }
  }));
  std::map<std::string, std::set<std::string>> changed;
  AppState before = Stored();
  for (int round = 0; round < 24; ++round) {
    std::map<std::string, std::map<std::string, std::string>> columns;
    for (const auto& [table, never] : NeverUpdated()) columns[table] = Columns(table);
    AppState wanted;
    const Status edited = Edit([&](AppEdit& edit) {
      Shuffle(dice, edit.ChangeDesired());
      if (edit.state().roll) Shuffle(dice, edit.ChangeRoll());
      std::vector<ActualId> ids;
      for (const auto& [id, lrp] : edit.state().actuals) ids.push_back(id);
      for (const ActualId& id : ids) Shuffle(dice, edit.Change(id));
      for (const auto& [key, definition] : before.definitions) {
        Definition& one = edit.ChangeDefinition(key);
        one.proven_at = dice.MaybeTime();
        one.pinned = dice.Flip();
        one.port_aliases = {{static_cast<std::uint32_t>(1 + dice.Below(60000)), 8080}};
      }
      wanted = edit.state();
    });
    ASSERT_TRUE(edited) << edited.error().message;
    const AppState stored = Stored();
    for (const auto& [id, lrp] : wanted.actuals) {
      ActualLrp expected = lrp;
      expected.tag = stored.actuals.at(id).tag;
      EXPECT_EQ(stored.actuals.at(id), expected) << "round " << round << ": an instance was not stored as it was written";
    }
    for (const auto& [key, definition] : wanted.definitions) EXPECT_EQ(stored.definitions.at(key), definition);
    DesiredLrp expected = *wanted.desired;
    expected.tag = stored.desired->tag;
    EXPECT_EQ(*stored.desired, expected);
    if (wanted.roll) {
      Roll roll = *wanted.roll;
      EXPECT_EQ(*stored.roll, roll);
    }
    for (const auto& [table, never] : NeverUpdated()) {
      for (const auto& [column, values] : Columns(table)) {
        if (columns[table][column] != values) changed[table].insert(column);
      }
    }
    before = stored;
  }
  for (const auto& [table, never] : NeverUpdated()) {
    for (const auto& [column, values] : Columns(table)) {
      EXPECT_NE(changed[table].contains(column), never.contains(column))
          << table << "." << column << (never.contains(column) ? " changed" : " was never changed by an update");
    }
  }
}

}  // namespace
}  // namespace baton
