#include "orchestrator/roll/transition.h"

#include "orchestrator/base/check.h"
#include "orchestrator/model/names.h"

namespace baton {
namespace {

// Back to the source: it is the active one again, in the same commit.
void TurnBack(AppEdit& edit) {
  const Roll& roll = *edit.state().roll;
  CHECK(!roll.source.empty());
  DesiredLrp& desired = edit.ChangeDesired();
  desired.active = roll.source;
  const auto source = edit.state().definitions.find({roll.incarnation, roll.source});
  if (source != edit.state().definitions.end() && source->second.proven_at) desired.healthy = roll.source;
}

void TakeProofBack(Roll& roll) {
  roll.proved_at.reset();
  roll.last_hand_over_at.reset();
}

void PassStage(Roll& roll) {
  ++roll.stages_done;
  roll.stage_since.reset();
  roll.verdict.clear();
}

void StopClocks(Roll& roll, TimePoint now) {
  if (!roll.clock_stopped_at) roll.clock_stopped_at = now;
  roll.waiting_since.reset();
}

void StartClocksAnew(Roll& roll, const Strategy& strategy, TimePoint now) {
  roll.deadline = now + strategy.progress_deadline;
  roll.clock_stopped_at.reset();
  roll.waiting_since.reset();
}

// Two reasons to be PAUSED may hold at once: only the end of the last one lets it go on. True: the event was only that
// another reason came or one of two went.
Result<bool> OnlyAReason(AppEdit& edit, RollEvent event) {
  const Roll& roll = *edit.state().roll;
  if (roll.state != RollState::kPaused) return false;
  const auto refuse = [](const char* what) { return Error{ErrorKind::kFailedPrecondition, what}; };
  switch (event) {
    case RollEvent::kPause:
      if (roll.paused_by_hand) return false;  // the law refuses it
      edit.ChangeRoll().paused_by_hand = true;
      return true;
    case RollEvent::kResume:
      if (!roll.paused_by_hand) return refuse("the roll is not paused by hand: it waits at a stage, promote it");
      if (!roll.stage_since) return false;
      edit.ChangeRoll().paused_by_hand = false;
      return true;
    case RollEvent::kPromote:
      if (!roll.stage_since) return refuse("the roll does not wait at a stage");
      if (!roll.paused_by_hand) return false;
      PassStage(edit.ChangeRoll());
      return true;
    case RollEvent::kAdmit:
    case RollEvent::kFailToHold:
    case RollEvent::kFailToRollback:
    case RollEvent::kRetry:
    case RollEvent::kCancel:
    case RollEvent::kSettle:
    case RollEvent::kSettleWithGaps:
    case RollEvent::kSupersede:
    case RollEvent::kYield:
    case RollEvent::kStage: return false;
  }
  return false;
}

}  // namespace

Status ApplyRollEvent(AppEdit& edit, RollEvent event, const std::string& reason) {
  const RollState before = edit.state().roll->state;
  const auto only = OnlyAReason(edit, event);
  if (!only) return only.error();
  if (*only) {
    edit.LogStep({.kind = StepKind::kState, .text = std::string(Name(before)) + ": " + reason});
    return Done{};
  }
  const auto next = Advance(before, event);
  if (!next) {
    return Error{ErrorKind::kFailedPrecondition,
                 "the roll is " + std::string(Name(before)) + ": it does not take '" + std::string(Name(event)) + "'"};
  }
  if (!IsOpen(*next)) {
    edit.CloseRoll(*next, reason);
    return Done{};
  }
  Roll& roll = edit.ChangeRoll();
  roll.state = *next;
  roll.reason = reason;
  switch (*next) {
    case RollState::kRollingBack:
      TakeProofBack(roll);
      roll.refused = true;
      roll.paused_by_hand = false;
      roll.stage_since.reset();
      roll.verdict.clear();
      roll.condemned.clear();
      TurnBack(edit);
      edit.CountFailuresAnew();
      StopClocks(roll, edit.now());  // a rollback has no deadline
      break;
    case RollState::kHeld:
      TakeProofBack(roll);
      roll.refused = true;
      StopClocks(roll, edit.now());
      break;
    case RollState::kPaused:
      StopClocks(roll, edit.now());
      if (event == RollEvent::kStage) {
        roll.stage_since = edit.now();
      } else {
        roll.paused_by_hand = true;
      }
      break;
    case RollState::kRolling:
      roll.paused_by_hand = false;
      if (event == RollEvent::kPromote) PassStage(roll);
      if (before == RollState::kHeld) {
        roll.condemned.clear();
        roll.refused = false;
        edit.CountFailuresAnew();
        StartClocksAnew(roll, roll.strategy, edit.now());
      }
      break;
    case RollState::kQueued:  // no event leads there
    case RollState::kCompleted:
    case RollState::kCompletedWithGaps:
    case RollState::kRolledBack:
    case RollState::kSuperseded:
    case RollState::kYielded: break;  // closed above
  }
  edit.LogStep({.kind = StepKind::kState, .text = std::string(Name(*next)) + ": " + reason});
  return Done{};
}

}  // namespace baton
