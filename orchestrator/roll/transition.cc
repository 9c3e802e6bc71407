#include "orchestrator/roll/transition.h"

#include "orchestrator/model/check.h"
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

void StopClocks(Roll& roll, TimePoint now) {
  if (!roll.clock_stopped_at) roll.clock_stopped_at = now;
  roll.waiting_since.reset();
}

void StartClocksAnew(Roll& roll, const Strategy& strategy, TimePoint now) {
  roll.deadline = now + strategy.progress_deadline;
  roll.clock_stopped_at.reset();
  roll.waiting_since.reset();
}

}  // namespace

Status ApplyRollEvent(AppEdit& edit, RollEvent event, const std::string& reason) {
  const RollState before = edit.state().roll->state;
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
      TurnBack(edit);
      edit.CountFailuresAnew();
      StopClocks(roll, edit.now());  // a rollback has no deadline
      break;
    case RollState::kHeld:
      TakeProofBack(roll);
      roll.refused = true;
      StopClocks(roll, edit.now());
      break;
    case RollState::kPaused: StopClocks(roll, edit.now()); break;
    case RollState::kRolling:
      if (before == RollState::kHeld) {
        roll.refused = false;
        edit.CountFailuresAnew();
        StartClocksAnew(roll, edit.state().desired->strategy, edit.now());
      }
      break;
    default: break;
  }
  edit.LogStep({.kind = StepKind::kState, .text = std::string(Name(*next)) + ": " + reason});
  return Done{};
}

}  // namespace baton
