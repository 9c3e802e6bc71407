// Next slots: with surge a newcomer beside the old one; without, the old one makes room first.
#include <string>
#include <vector>

#include "orchestrator/roll/phases/phases.h"
#include "orchestrator/roll/rules/guards.h"

namespace baton {
namespace {

void Refuse(SlotBoard& board, Refusal refusal) { board.plan().reasons.push_back(*std::move(refusal)); }

void Surge(SlotBoard& board, Slot& slot) {
  board.Make(slot.index, Presence::kSurge, Goal(*board.roll()), /*newcomer=*/true, std::nullopt,
             {StepKind::kSurged, "beside the old instance"});
}

void Replace(SlotBoard& board, Slot& slot) {
  const int replaced = board.replaced();
  if (replaced >= board.limits().max_unavailable) {
    return Refuse(board, Reason{rule::kFloor, slot.index,
                                std::to_string(replaced) + " slots are being replaced, max_unavailable is " +
                                    std::to_string(board.limits().max_unavailable),
                                std::nullopt, std::nullopt, "one of them is ready"});
  }
  if (Refusal refusal = CheckLeave(board, slot, *slot.ordinary, Goal(*board.roll()))) return Refuse(board, std::move(refusal));
  const auto down_since = board.Serves(slot) ? std::optional<TimePoint>() : slot.ordinary->down_since;
  board.RetireOrRemove(*slot.ordinary, {StepKind::kWithdrawn, "it makes room for the newcomer"});
  board.Make(slot.index, Presence::kOrdinary, Goal(*board.roll()), /*newcomer=*/true, down_since,
             {StepKind::kReplaced, "in the old instance's place"});
}

// Slots with a RetireInstances request come first; within each group the lowest index first.
std::vector<int> InTurn(const SlotBoard& board) {
  std::vector<int> turn;
  for (const bool asked : {true, false}) {
    for (const auto& [index, slot] : board.slots()) {
      if (index >= board.instances()) break;
      if (slot.ordinary && slot.ordinary->retire_asked == asked) turn.push_back(index);
    }
  }
  return turn;
}

}  // namespace

void NextSlots(SlotBoard& board) {
  if (!board.Moves()) return;
  const Beside beside = board.CanSurge() ? Beside::kOld : Beside::kNothing;
  Refusal refusal;  // of any newcomer: once there is one, no step is taken that would change it
  for (const int index : InTurn(board)) {
    Slot& slot = board.slot(index);
    if (slot.surge || board.RunsGoal(slot.ordinary)) continue;
    if (board.GivenUp(index)) continue;
    if (board.BackOffUntil(index)) continue;  // ExplainWaiting says so and wakes
    if (board.plan().made >= kMadeInOnePass) return board.plan().WakeAt(board.now());
    if (!board.CanSurge() && slot.evacuating) continue;  // its cell drains: the restart rule replaces it
    if (refusal) {
      if (board.plan().named == Reasons::kFirst) return;
      refusal->index = index;
    } else {
      refusal = CheckNewcomer(board, slot, beside);
    }
    if (refusal) {
      Refuse(board, refusal);
      continue;
    }
    board.CanSurge() ? Surge(board, slot) : Replace(board, slot);
  }
}

}  // namespace baton
