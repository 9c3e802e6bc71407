#include "orchestrator/roll/law.h"

#include "orchestrator/base/pure_law.h"

namespace baton {
namespace {

using msm::Row;

struct LawTable : msm::Table<LawTable> {
  using enum RollState;
  using enum RollEvent;

  using initial_state = msm::In<kQueued>;

  // clang-format off
  struct transition_table : boost::mpl::vector26<
      //  from          event            to
      // Forward.
      Row<kQueued,      kAdmit,          kRolling>,
      Row<kRolling,     kSettle,         kCompleted>,
      Row<kRolling,     kSettleWithGaps, kCompletedWithGaps>,
      Row<kHeld,        kSettle,         kCompleted>,
      // By hand.
      Row<kRolling,     kPause,          kPaused>,
      Row<kPaused,      kResume,         kRolling>,
      Row<kHeld,        kRetry,          kRolling>,
      // At a stage. (By hand and at a stage: ApplyRollEvent lets the last reason's end through.)
      Row<kRolling,     kStage,          kPaused>,
      Row<kPaused,      kPromote,        kRolling>,
      // It failed.
      Row<kRolling,     kFailToHold,     kHeld>,
      Row<kRolling,     kFailToRollback, kRollingBack>,
      // Back, through the same machine. A rollback is never itself rolled back and never fails.
      Row<kQueued,      kCancel,         kRollingBack>,
      Row<kRolling,     kCancel,         kRollingBack>,
      Row<kPaused,      kCancel,         kRollingBack>,
      Row<kHeld,        kCancel,         kRollingBack>,
      Row<kRollingBack, kSettle,         kRolledBack>,
      // A newer wish.
      Row<kQueued,      kSupersede,      kSuperseded>,
      Row<kRolling,     kSupersede,      kSuperseded>,
      Row<kPaused,      kSupersede,      kSuperseded>,
      Row<kHeld,        kSupersede,      kSuperseded>,
      Row<kRollingBack, kSupersede,      kSuperseded>,
      // The app goes.
      Row<kQueued,      kYield,          kYielded>,
      Row<kRolling,     kYield,          kYielded>,
      Row<kPaused,      kYield,          kYielded>,
      Row<kHeld,        kYield,          kYielded>,
      Row<kRollingBack, kYield,          kYielded>
  > {};
  // clang-format on
};

using Law = msm::PureLaw<LawTable, RollState, kRollStates, RollEvent, kRollEvents>;

}  // namespace

std::string_view Name(RollEvent event) {
  constexpr std::string_view kNames[kRollEvents] = {"admit", "pause",  "resume", "fail_to_hold",     "fail_to_rollback",
                                                    "retry", "cancel", "settle", "settle_with_gaps", "supersede",
                                                    "yield", "stage",  "promote"};
  return kNames[static_cast<std::size_t>(event)];
}

std::optional<RollState> Advance(RollState state, RollEvent event) { return Law::Advance(state, event); }

}  // namespace baton
