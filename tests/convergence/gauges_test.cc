// What a pass saw, as gauges.
#include "convergence/gauges.h"

#include <gtest/gtest.h>

#include <map>

namespace baton {
namespace {

class Kept final : public Metrics {
 public:
  void Count(std::string_view, std::string_view, double) override {}
  void Set(std::string_view name, double value, std::string_view label) override {
    values[std::string(name) + "{" + std::string(label) + "}"] = value;
  }
  void Observe(std::string_view, double, std::string_view) override {}
  std::map<std::string, double> values;
};

SweepView Seen(PassKind kind) {
  SweepView view{.kind = kind, .now = TimePoint(std::chrono::hours(1))};
  view.open_rolls = {{ProcessGuid("a"), RollState::kHeld, "it crashed"}, {ProcessGuid("b"), RollState::kRolling, ""}};
  view.cells.resize(4);
  view.cells[0].lease_expires_at = view.cells[1].lease_expires_at = view.now + seconds(1);
  view.cells[1].draining = true;
  view.cells[2].lease_expires_at = view.now;  // over
  view.cells[3].lease_expires_at = *(view.cells[3].missing_since = view.now - seconds(1));
  view.fleet.instances = {{{LrpState::kRunning, Presence::kOrdinary}, 5}, {{LrpState::kClaimed, Presence::kSurge}, 1}};
  view.fleet.slots = 6;
  view.fleet.slots_served = 5;
  return view;
}

TEST(Gauges, SayWhatThePassSaw) {
  Kept kept;
  SetGauges(kept, Seen(PassKind::kCount));
  EXPECT_EQ(kept.values["baton_rolls{HELD}"], 1);
  EXPECT_EQ(kept.values["baton_rolls{ROLLING}"], 1);
  EXPECT_TRUE(kept.values.contains("baton_rolls{PAUSED}"));
  for (const char* state : {"present", "draining", "silent", "missing"}) {
    EXPECT_EQ(kept.values["baton_cells{" + std::string(state) + "}"], 1) << state;
  }
  EXPECT_EQ(kept.values["baton_instances{RUNNING ORDINARY}"], 5);
  EXPECT_EQ(kept.values["baton_instances{CLAIMED SURGE}"], 1);
  EXPECT_TRUE(kept.values.contains("baton_instances{CRASHED SUSPECT}"));
  EXPECT_EQ(kept.values["baton_slots{true}"], 5);
  EXPECT_EQ(kept.values["baton_slots{false}"], 1);
}

TEST(Gauges, OfAPassThatCountsNothingThereAreNoCounts) {
  Kept kept;
  SetGauges(kept, Seen(PassKind::kIncremental));
  EXPECT_EQ(kept.values["baton_rolls{HELD}"], 1);
  EXPECT_FALSE(kept.values.contains("baton_slots{true}"));
}

// Two would count each app twice.
TEST(Gauges, WhoLeadsNoMoreSaysZero) {
  Kept kept;
  SetGauges(kept, Seen(PassKind::kAudit));
  ClearGauges(kept);
  for (const auto& [name, value] : kept.values) EXPECT_EQ(value, 0) << name;
}

}  // namespace
}  // namespace baton
