// Failures and deadlines of a roll as a whole.
#include <string>

#include "orchestrator/base/check.h"
#include "orchestrator/roll/phases/phases.h"
#include "orchestrator/roll/transition.h"

namespace baton {
namespace {

bool MayGoBack(const SlotBoard& board) {
  const Roll& roll = *board.roll();
  return board.strategy().on_failure == OnFailure::kRollback && !roll.source.empty() &&
         board.definition(roll.source).proven_at && !board.SameContent(roll.source, roll.target);
}

bool Fail(SlotBoard& board, const std::string& reason) {
  return Apply(board, MayGoBack(board) ? RollEvent::kFailToRollback : RollEvent::kFailToHold, reason);
}

bool ReactToFailures(SlotBoard& board) {
  int failed = 0;
  int worst = -1;
  for (const auto& [index, slot] : board.slots()) {
    if (index >= board.instances() || !board.Failed(index)) continue;
    ++failed;
    if (worst < 0 || board.Log(index).failed_attempts > board.Log(worst).failed_attempts) worst = index;
  }
  if (failed == 0) return false;
  const Strategy& strategy = board.strategy();
  const std::string text = std::to_string(board.Log(worst).failed_attempts) + " failed attempts in slot " +
                           std::to_string(worst) + " (max_failures " + std::to_string(strategy.max_failures) +
                           "), the last: " + board.Log(worst).last_failure;
  if (strategy.on_failure == OnFailure::kContinue) {
    return failed >= board.instances() && Apply(board, RollEvent::kFailToHold, "every slot was given up: " + text);
  }
  if (failed <= strategy.max_failed_slots) return false;
  return Fail(board, text);
}

bool ReactToDeadlines(SlotBoard& board) {
  const Roll& roll = *board.roll();
  if (roll.waiting_since) {
    const TimePoint due = *roll.waiting_since + board.strategy().wait_deadline;
    if (due <= board.now()) {
      return Apply(board, RollEvent::kFailToHold,
                   "it waited for " + std::to_string(Millis(board.strategy().wait_deadline)) +
                       " ms (wait_deadline) for what is not the version's doing");
    }
    board.plan().WakeAt(due);
  }
  if (roll.clock_stopped_at) return false;
  if (roll.deadline <= board.now()) {
    return Fail(board, "no slot was newly proven within " + std::to_string(Millis(board.strategy().progress_deadline)) +
                           " ms (progress_deadline)");
  }
  board.plan().WakeAt(roll.deadline);
  return false;
}

// For the history: how long nothing was being started or proven.
void CountWaiting(SlotBoard& board) {
  const bool tries = board.Moves() && board.trying() > 0;
  const Roll& roll = *board.roll();
  if (tries == !roll.waits_from) return;
  Roll& changed = board.edit().ChangeRoll();
  if (tries) {
    changed.waited += board.now() - *roll.waits_from;
    changed.waits_from.reset();
  } else {
    changed.waits_from = board.now();
  }
}

}  // namespace

bool Apply(SlotBoard& board, RollEvent event, const std::string& reason) {
  const Status status = ApplyRollEvent(board.edit(), event, reason);
  CHECK(status.ok());  // only asked for in states that allow it
  board.Count(1);
  return true;
}

bool React(SlotBoard& board) {
  if (!board.roll() || board.roll()->state != RollState::kRolling) return false;
  const std::string& condemned = board.roll()->condemned;
  if (!condemned.empty()) return Fail(board, condemned);
  return ReactToFailures(board) || ReactToDeadlines(board);
}

bool KeepClocks(SlotBoard& board) {
  if (!board.roll()) return false;
  CountWaiting(board);
  if (board.roll()->state != RollState::kRolling) return false;
  bool tries = false;    // a newcomer is being started or proven, or backs off
  // Nothing but bake_time is left.
  bool finished = board.QuietOf([&](const DefinitionId& id) { return board.IsGoal(id); }) == board.quiet();
  for (const auto& [index, slot] : board.slots()) {
    if (index >= board.instances()) continue;
    if (board.GivenUp(index)) {
      finished &= board.Serves(slot);
      continue;
    }
    for (const ActualLrp* lrp : {slot.ordinary, slot.surge}) tries |= board.IsNewcomer(lrp) && MayRun(*lrp);
    tries |= board.BackOffUntil(index).has_value();
    // What took its slot and was started again is the version's doing, too.
    tries |= board.Hurts(slot) && slot.ordinary && MayRun(*slot.ordinary) && !board.Serves(slot);
    finished &= board.RunsGoal(slot.ordinary) && board.Ready(slot.ordinary);
  }
  Roll clocks = *board.roll();
  if (tries && clocks.clock_stopped_at) {
    clocks.deadline += board.now() - *clocks.clock_stopped_at;
    clocks.clock_stopped_at.reset();
  } else if (!tries && !clocks.clock_stopped_at) {
    clocks.clock_stopped_at = board.now();
  }
  if (tries || finished) {
    clocks.waiting_since.reset();
  } else if (!clocks.waiting_since) {
    clocks.waiting_since = board.now();
  }
  if (clocks != *board.roll()) board.edit().ChangeRoll() = clocks;
  if (tries && clocks.deadline <= board.now()) return true;  // it was stopped when its time was over
  if (tries) board.plan().WakeAt(clocks.deadline);
  if (clocks.waiting_since) board.plan().WakeAt(*clocks.waiting_since + board.strategy().wait_deadline);
  return false;
}

}  // namespace baton
