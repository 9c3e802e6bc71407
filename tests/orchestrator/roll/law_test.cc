// The whole law, state by event, written a second time by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "orchestrator/app/apps/change_roll.h"
#include "orchestrator/model/names.h"
#include "orchestrator/roll/law.h"

namespace baton {
namespace {

// Rows: states in their order. Columns: admit, pause, resume, fail_to_hold, fail_to_rollback, retry, cancel, settle,
// settle_with_gaps, supersede, yield, stage, promote. '.' refused, else the first letters of what follows.
constexpr const char* kLaw =
    "QUEUED               R . . . . . B . . S Y . .\n"
    "ROLLING              . P . H B . B C G S Y P .\n"
    "PAUSED               . . R . . . B . . S Y . R\n"
    "HELD                 . . . . . R B C . S Y . .\n"
    "ROLLING_BACK         . . . . . . . D . S Y . .\n"
    "COMPLETED            . . . . . . . . . . . . .\n"
    "COMPLETED_WITH_GAPS  . . . . . . . . . . . . .\n"
    "ROLLED_BACK          . . . . . . . . . . . . .\n"
    "SUPERSEDED           . . . . . . . . . . . . .\n"
    "YIELDED              . . . . . . . . . . . . .\n";

char Letter(RollState state) {
  switch (state) {
    case RollState::kQueued: return 'Q';
    case RollState::kRolling: return 'R';
    case RollState::kPaused: return 'P';
    case RollState::kHeld: return 'H';
    case RollState::kRollingBack: return 'B';
    case RollState::kCompleted: return 'C';
    case RollState::kCompletedWithGaps: return 'G';
    case RollState::kRolledBack: return 'D';
    case RollState::kSuperseded: return 'S';
    case RollState::kYielded: return 'Y';
  }
  return '?';
}

TEST(Law, EveryPairHasItsOutcome) {
  std::string law;
  for (int s = 0; s < kRollStates; ++s) {
    std::string row(Name(static_cast<RollState>(s)));
    row.resize(20, ' ');
    for (int e = 0; e < kRollEvents; ++e) {
      const auto next = Advance(static_cast<RollState>(s), static_cast<RollEvent>(e));
      row += " ";
      row += next ? Letter(*next) : '.';
    }
    law += row + "\n";
  }
  EXPECT_EQ(law, kLaw);
}

// Without a default: the compiler names an event that is new here.
bool IsByHand(RollEvent event) {
  switch (event) {
    case RollEvent::kPause:
    case RollEvent::kResume:
    case RollEvent::kRetry:
    case RollEvent::kCancel:
    case RollEvent::kPromote: return true;
    case RollEvent::kAdmit:
    case RollEvent::kFailToHold:
    case RollEvent::kFailToRollback:
    case RollEvent::kSettle:
    case RollEvent::kSettleWithGaps:
    case RollEvent::kSupersede:
    case RollEvent::kYield:
    case RollEvent::kStage: return false;
  }
  return false;
}

TEST(Law, EventsOfPeopleAreThoseThatACallMayAskFor) {
  for (int e = 0; e < kRollEvents; ++e) {
    const auto event = static_cast<RollEvent>(e);
    EXPECT_FALSE(Name(event).empty());
    EXPECT_EQ(std::ranges::count(kEventsByHand, event), IsByHand(event) ? 1 : 0) << Name(event);
  }
}

TEST(Law, NothingLeavesAFinishedState) {
  for (int s = 0; s < kRollStates; ++s) {
    const auto state = static_cast<RollState>(s);
    if (IsOpen(state)) continue;
    for (int e = 0; e < kRollEvents; ++e) EXPECT_FALSE(Advance(state, static_cast<RollEvent>(e)).has_value());
  }
}

TEST(Law, EveryOpenStateCanBeSupersededAndYielded) {
  for (int s = 0; s < kRollStates; ++s) {
    const auto state = static_cast<RollState>(s);
    if (!IsOpen(state)) continue;
    EXPECT_EQ(Advance(state, RollEvent::kSupersede), RollState::kSuperseded);
    EXPECT_EQ(Advance(state, RollEvent::kYield), RollState::kYielded);
  }
}

}  // namespace
}  // namespace baton
