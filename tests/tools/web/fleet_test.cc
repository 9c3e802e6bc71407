// The fleet's table against a table that was told everything at once; a page's window against a fresh one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tools/web/fleet/row_json.h"
#include "tools/web/fleet/window.h"

namespace baton {
namespace {

using web::AppRow;
using web::FleetTable;

// A small world that changes at random, and tells what it does as batond's events do.
class World {
 public:
  explicit World(std::uint32_t seed) : random_(seed) {}

  // One change, as an event.
  v2::Event Change() {
    v2::Event event;
    event.set_sequence(++sequence_);
    const std::string guid = "app-" + std::to_string(Of(6));
    event.set_process_guid(guid);
    App& app = apps_[guid];
    switch (Of(6)) {
      case 0:
      case 1: Desire(guid, app, event); break;
      case 2: Undesire(guid, app, event); break;
      case 3: Roll(guid, app, event); break;
      default: Instance(guid, app, event);
    }
    return event;
  }

  // Everything that there is, in pages.
  std::vector<v2::SubscribeResponse> Snapshot() const {
    std::vector<v2::SubscribeResponse> pages(3);
    for (const auto& [guid, app] : apps_) {
      if (app.desired) *pages[0].mutable_snapshot()->add_desired_lrps() = app.info;
      for (const auto& [id, lrp] : app.lrps) *pages[1].mutable_snapshot()->add_actual_lrps() = lrp;
      if (app.desired && app.rolling) *pages[2].mutable_snapshot()->add_rolls() = app.roll;
    }
    pages.back().set_sequence(sequence_);
    pages.back().set_snapshot_complete(true);
    return pages;
  }

 private:
  struct App {
    bool desired = false;
    bool rolling = false;
    v2::DesiredLRPSchedulingInfo info;
    v2::Roll roll;
    std::map<std::string, v2::ActualLRP> lrps;
  };

  int Of(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }

  void Desire(const std::string& guid, App& app, v2::Event& event) {
    app.desired = true;
    app.info.set_process_guid(guid);
    app.info.set_domain("domain-" + std::to_string(Of(2)));
    app.info.set_instances(Of(5));
    app.info.set_active_definition("v" + std::to_string(Of(3)));
    event.set_kind("desired_changed");
    *event.mutable_desired_after() = app.info;
  }
  void Undesire(const std::string& guid, App& app, v2::Event& event) {
    event.set_kind("desired_removed");
    event.mutable_desired_before()->set_process_guid(guid);
    app.desired = app.rolling = false;
  }
  void Roll(const std::string& guid, App& app, v2::Event& event) {
    static constexpr v2::RollState kStates[] = {v2::ROLLING, v2::PAUSED, v2::HELD, v2::ROLLING_BACK, v2::COMPLETED};
    if (!app.desired) return Desire(guid, app, event);
    const bool fresh = !app.rolling;
    app.roll.set_process_guid(guid);
    if (fresh) app.roll.set_roll_id("roll-" + std::to_string(sequence_));
    app.roll.set_state(fresh ? v2::ROLLING : kStates[Of(5)]);
    app.roll.set_target_definition("v" + std::to_string(Of(3)));
    app.rolling = web::IsOpen(app.roll.state());
    event.set_kind("roll_step");
    *event.mutable_roll() = app.roll;
  }
  void Instance(const std::string& guid, App& app, v2::Event& event) {
    static constexpr const char* kStates[] = {"UNCLAIMED", "CLAIMED", "RUNNING", "RUNNING", "CRASHED"};
    if (!app.lrps.empty() && Of(3) == 0) {
      event.set_kind("actual_removed");
      *event.mutable_actual_before() = app.lrps.begin()->second;
      app.lrps.erase(app.lrps.begin());
      return;
    }
    char id[40];
    std::snprintf(id, sizeof id, "%08x-0000-4000-8000-%012x", static_cast<unsigned>(std::hash<std::string>()(guid)),
                  Of(6));
    v2::ActualLRP& lrp = app.lrps[id];
    lrp.set_actual_id(id);
    lrp.set_process_guid(guid);
    lrp.set_index(Of(5));
    lrp.set_state(kStates[Of(5)]);
    lrp.set_presence(static_cast<v2::Presence>(1 + Of(5)));
    lrp.set_routable(Of(3) != 0);
    lrp.set_definition_identifier("v" + std::to_string(Of(3)));
    lrp.set_placement_error(Of(4) == 0 ? "no room" : "");
    lrp.mutable_instance_key()->set_cell_id("cell-" + std::to_string(Of(2)));
    event.set_kind("actual_changed");
    *event.mutable_actual_after() = lrp;
  }

  std::mt19937 random_;
  std::map<std::string, App> apps_;
  std::int64_t sequence_ = 0;
};

std::map<std::string, std::string> RowsOf(const FleetTable& table) {
  std::map<std::string, std::string> rows;
  for (const AppRow* row : table.All()) {
    if (!row->empty()) rows[row->guid()] = web::Text(web::RowJson(*row));
  }
  return rows;
}

void Tell(FleetTable& table, const std::vector<v2::SubscribeResponse>& messages) {
  for (const auto& message : messages) table.Apply(message);
}
void Tell(FleetTable& table, const v2::Event& event) {
  v2::SubscribeResponse message;
  *message.add_events() = event;
  message.set_sequence(event.sequence());
  table.Apply(message);
}

TEST(Fleet, AfterAnyHistoryIsWhatASnapshotSays) {
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    World world(seed);
    FleetTable followed;
    Tell(followed, world.Snapshot());
    for (int i = 0; i < 40; ++i) {
      Tell(followed, world.Change());
      if (i % 7 == 0) {
        followed.Settle(0);
        followed.Forget();
      }
      if (seed % 3 == 0 && i == 20) {  // a leader changed, and everything is told anew
        followed.BeginSnapshot();
        Tell(followed, world.Snapshot());
      }
    }
    followed.Settle(0);
    FleetTable fresh;
    Tell(fresh, world.Snapshot());
    fresh.Settle(0);
    ASSERT_EQ(RowsOf(followed), RowsOf(fresh)) << "seed " << seed;
    ASSERT_TRUE(followed.counts() == fresh.counts()) << "seed " << seed;
    followed.Forget();
    ASSERT_EQ(followed.sequence(), fresh.sequence());
  }
}

TEST(Fleet, AListingThatWasKeptIsAFreshOne) {
  static constexpr const char* kFilters[] = {
      "", "held", "trouble domain:domain-1", "cell:cell-0", "def:v2", "app-3", "unserved", "rolling"};
  static constexpr const char* kOrders[] = {"", "guid", "-served,domain", "age", "-definition,-guid"};
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    World world(seed);
    FleetTable table;
    Tell(table, world.Snapshot());
    table.Settle(0);
    table.Forget();
    const web::Filter filter = web::Filter::Of(kFilters[seed % std::size(kFilters)]);
    const Result<web::Order> order = web::Order::Of(kOrders[seed % std::size(kOrders)]);
    ASSERT_TRUE(order);
    web::Listing kept(filter, *order);
    kept.Fill(table.All(), table.names());
    for (int i = 0; i < 60; ++i) {
      Tell(table, world.Change());
      if (i % 4 != 0) continue;
      kept.Update(table.Settle(0), table.names());
      web::Listing fresh(filter, *order);
      fresh.Fill(table.All(), table.names());
      ASSERT_EQ(kept.rows(), fresh.rows()) << "seed " << seed << " step " << i;
      table.Forget();
    }
  }
}

TEST(Fleet, RowsThatDidNotChangeAreNotTold) {
  FleetTable table;
  World world(1);
  Tell(table, world.Snapshot());
  for (int i = 0; i < 30; ++i) Tell(table, world.Change());
  EXPECT_FALSE(table.Settle(0).empty());
  table.Forget();
  EXPECT_TRUE(table.Settle(0).empty());
}

TEST(Fleet, AnAppIsWhatItsInstancesAndItsRollSay) {
  AppRow row("shop");
  web::Names names;
  v2::DesiredLRPSchedulingInfo info;
  info.set_instances(3);
  row.Set(info);
  row.Count(0, names);
  EXPECT_EQ(row.numbers().attention, web::Attention::kTrouble);
  EXPECT_EQ(row.Why(), "3 not served");

  v2::Roll roll;
  roll.set_roll_id("r");
  roll.set_state(v2::ROLLING);
  roll.set_target_definition("v2");
  roll.set_deadline_at(1000);
  roll.mutable_strategy()->set_progress_deadline_ms(1);  // 1,000,000 ns
  row.SetRoll(roll);
  row.Count(-600'000, names);
  EXPECT_EQ(row.numbers().attention, web::Attention::kRolling);
  row.Count(600'000, names);
  EXPECT_EQ(row.numbers().attention, web::Attention::kSlow);

  roll.set_state(v2::PAUSED);
  roll.add_paused_because(v2::STAGE);
  roll.mutable_strategy()->add_stages()->set_duration_ms(1000);
  row.SetRoll(roll);
  row.Count(0, names);
  EXPECT_NE(row.numbers().attention, web::Attention::kWaiting) << "time ends the stage";
  roll.mutable_strategy()->mutable_stages(0)->set_promotion(true);
  row.SetRoll(roll);
  row.Count(0, names);
  EXPECT_EQ(row.numbers().attention, web::Attention::kWaiting);
  EXPECT_EQ(row.Why(), "waits for promotion at stage 1");

  roll.set_state(v2::HELD);
  roll.set_reason("3 attempts failed");
  row.SetRoll(roll);
  row.Count(0, names);
  EXPECT_EQ(row.Why(), "held: 3 attempts failed");
}

// An app's page is told its row when batond answers, which may be before the numbers are counted anew.
TEST(Fleet, ARowWhoseRollHasJustEndedIsToldWithoutIt) {
  web::Names names;
  for (const v2::RollState state : {v2::ROLLING, v2::PAUSED, v2::HELD, v2::ROLLING_BACK}) {
    AppRow row("shop");
    v2::Roll roll;
    roll.set_roll_id("r");
    roll.set_state(state);
    row.SetRoll(roll);
    row.Count(0, names);
    EXPECT_NE(row.Why(), "") << v2::RollState_Name(state);
    roll.set_state(v2::COMPLETED);
    row.SetRoll(roll);
    EXPECT_EQ(row.Why(), "");
    EXPECT_TRUE(web::RowJson(row)["roll"].is_null());
  }
}

TEST(Fleet, AnOrderOfNoColumnIsRefusedByName) {
  const Result<web::Order> order = web::Order::Of("guid,colour");
  ASSERT_FALSE(order);
  EXPECT_THAT(order.error().message, ::testing::HasSubstr("'colour' is none of attention"));
}

// dashboard.md, section 4: what an instance costs.
static_assert(sizeof(web::Instance) <= 128);

}  // namespace
}  // namespace baton
