// Instances above the count, the highest index first.
#include <ranges>

#include "orchestrator/roll/guards.h"
#include "orchestrator/roll/phases.h"

namespace baton {
namespace {

void TrimOne(Board& board, const Slot& slot, const ActualLrp* lrp) {
  if (!lrp) return;
  if (MayRun(*lrp)) {
    if (const Refusal refusal = CheckLeave(board, slot, *lrp)) {
      board.plan().reasons.push_back(*refusal);
      return;
    }
  }
  board.RetireOrRemove(*lrp, {StepKind::kTrimmed, "it is above the instance count"});
}

}  // namespace

void Trim(Board& board) {
  for (auto& [index, slot] : board.slots() | std::views::reverse) {
    if (index < board.instances()) break;
    TrimOne(board, slot, slot.ordinary);
    TrimOne(board, slot, slot.evacuating);
    TrimOne(board, slot, slot.suspect);
  }
}

}  // namespace baton
