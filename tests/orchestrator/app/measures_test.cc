// What a commit says of time.
#include "orchestrator/app/apps/measures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const TimePoint kMeasuresNow(std::chrono::hours(1000));

AppChanges Change(const ActualLrp& before, const ActualLrp& after) {
  AppChanges changes;
  changes.events.push_back({.kind = EventKind::kActualChanged, .actual_before = before, .actual_after = after});
  return changes;
}

TEST(Measures, AStartIsFromTheClaimToRunning) {
  ActualLrp before, after;
  before.state = LrpState::kClaimed;
  before.claimed_at = kMeasuresNow - seconds(3);
  after = before;
  after.state = LrpState::kRunning;
  after.since = kMeasuresNow;
  EXPECT_THAT(MeasuresOf(Change(before, after)), ElementsAre(Measure{"baton_start_seconds", "", seconds(3)}));
  EXPECT_THAT(MeasuresOf(Change(after, after)), IsEmpty());
}

TEST(Measures, ADrainIsFromRetiringToItsStopAndCountsOnce) {
  ActualLrp before, after;
  before.presence = Presence::kRetiring;
  before.retiring_since = kMeasuresNow - seconds(7);
  after = before;
  after.stop_ordered_at = kMeasuresNow;
  EXPECT_THAT(MeasuresOf(Change(before, after)), ElementsAre(Measure{"baton_drain_seconds", "", seconds(7)}));
  EXPECT_THAT(MeasuresOf(Change(after, after)), IsEmpty());
}

TEST(Measures, ACrashIsCountedOnceThoughTwoEventsTellOfIt) {
  ActualLrp before, after;
  after.crash_count = 1;
  after.state = LrpState::kCrashed;
  AppChanges changes = Change(before, after);
  changes.events.push_back({.kind = EventKind::kActualCrashed, .actual_before = before, .actual_after = after});
  EXPECT_THAT(MeasuresOf(changes), ElementsAre(Measure{"baton_crashes_total", "", std::nullopt}));
}

TEST(Measures, ARollThatEndsSaysHowAndHowLongItTook) {
  AppChanges changes;
  Roll& roll = changes.closed_rolls.emplace_back();
  roll.state = RollState::kRolledBack;
  roll.opened_at = kMeasuresNow - seconds(60);
  roll.finished_at = kMeasuresNow;
  EXPECT_THAT(MeasuresOf(changes), ElementsAre(Measure{"baton_rolls_finished_total", "ROLLED_BACK", std::nullopt},
                                               Measure{"baton_roll_seconds", "ROLLED_BACK", seconds(60)}));
}

}  // namespace
}  // namespace baton
