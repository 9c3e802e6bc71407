// What takes too long to start: a newcomer's failed attempt, or any other's lost claim. And proof, where a newcomer in
// its place is ready.
#include <string>

#include "orchestrator/roll/phases/phases.h"

namespace baton {
namespace {

// The cell watches start_timeout itself and reports with the instance's last words; the planner only steps in for a
// cell that does not.
constexpr Duration kCellsTurn = seconds(5);
// Longer where no deadline of a roll is in the way: a restart by the planner counts as no crash, and is tried without
// back-off.
constexpr Duration kCellsTurnInARepair = seconds(30);

void JudgeOne(SlotBoard& board, const ActualLrp* lrp) {
  if (!lrp || !MayRun(*lrp) || lrp->routable || !lrp->claimed_at) return;
  const bool newcomer = board.IsNewcomer(lrp);
  // One that runs and is not ready is the app's affair. One that was claimed and never ran is nobody's: the claim may
  // have been said by a cell that has forgotten it since (simulation seed 123167).
  if (!newcomer && lrp->state != LrpState::kClaimed) return;
  const Duration timeout = board.StartTimeout(*lrp) + (newcomer ? kCellsTurn : kCellsTurnInARepair);
  if (board.now() < *lrp->claimed_at + timeout) {
    board.plan().WakeAt(*lrp->claimed_at + timeout);
    return;
  }
  const std::string within = " within " + std::to_string(Millis(board.StartTimeout(*lrp))) + " ms of its claim";
  board.Retire(*lrp, newcomer ? SlotBoard::Why{StepKind::kAttemptFailed, "not ready" + within}
                              : SlotBoard::Why{StepKind::kWithdrawn, "not started" + within});
}

void ProveInPlace(SlotBoard& board, const Slot& slot) {
  const ActualLrp* lrp = slot.ordinary;
  const bool open = board.Moves() || (board.roll() && board.roll()->state == RollState::kPaused);
  if (!open || !board.IsNewcomer(lrp) || !board.Ready(lrp)) return;
  const Duration took = lrp->claimed_at ? *lrp->routable_since - *lrp->claimed_at : Duration(0);
  board.Alter(*lrp, {StepKind::kProven, "ready in its slot", took},
              [&](ActualLrp& row) { row.handed_over_at = board.now(); });
  MarkProven(board);
  board.Refresh(slot.index);
}

}  // namespace

void MarkProven(SlotBoard& board) {
  Roll& roll = board.edit().ChangeRoll();
  if (!roll.proved_at) roll.proved_at = board.now();
  roll.last_hand_over_at = board.now();
  roll.deadline = board.now() + board.strategy().progress_deadline;
  if (roll.clock_stopped_at) roll.clock_stopped_at = board.now();
}

void JudgeNewcomers(SlotBoard& board) {
  for (auto& [index, slot] : board.slots()) {
    if (index >= board.instances()) continue;
    JudgeOne(board, slot.surge);
    JudgeOne(board, slot.ordinary);
    ProveInPlace(board, slot);
  }
}

}  // namespace baton
