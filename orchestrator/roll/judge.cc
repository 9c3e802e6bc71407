// Newcomers: a failed attempt where one took too long, proof where one in its place is ready.
#include <string>

#include "orchestrator/roll/phases.h"

namespace baton {
namespace {

// The cell watches start_timeout itself and reports with the instance's last words; the planner only steps in for a
// cell that does not.
constexpr Duration kCellsTurn = seconds(5);

void JudgeOne(Board& board, const ActualLrp* lrp) {
  if (!board.IsNewcomer(lrp) || !MayRun(*lrp) || lrp->routable || !lrp->claimed_at) return;
  const Duration timeout = board.StartTimeout(*lrp) + kCellsTurn;
  if (board.now() < *lrp->claimed_at + timeout) {
    board.plan().WakeAt(*lrp->claimed_at + timeout);
    return;
  }
  board.Retire(*lrp, {StepKind::kAttemptFailed,
                      "not ready within " + std::to_string(Millis(board.StartTimeout(*lrp))) + " ms of its claim"});
}

void ProveInPlace(Board& board, const Slot& slot) {
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

void MarkProven(Board& board) {
  Roll& roll = board.edit().ChangeRoll();
  if (!roll.proved_at) roll.proved_at = board.now();
  roll.last_hand_over_at = board.now();
  roll.deadline = board.now() + board.strategy().progress_deadline;
  if (roll.clock_stopped_at) roll.clock_stopped_at = board.now();
}

void JudgeNewcomers(Board& board) {
  for (auto& [index, slot] : board.slots()) {
    if (index >= board.instances()) continue;
    JudgeOne(board, slot.surge);
    JudgeOne(board, slot.ordinary);
    ProveInPlace(board, slot);
  }
}

}  // namespace baton
