// Instances above the count, the highest index first.
#include "orchestrator/roll/phases/phases.h"
#include "orchestrator/roll/rules/guards.h"

namespace baton {
namespace {

void TrimOne(SlotBoard& board, const Slot& slot, const ActualLrp* lrp) {
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

void Trim(SlotBoard& board) {
  for (auto at = board.slots().rbegin(); at != board.slots().rend() && at->first >= board.instances(); ++at) {
    Slot& slot = at->second;
    TrimOne(board, slot, slot.ordinary);
    TrimOne(board, slot, slot.evacuating);
    TrimOne(board, slot, slot.suspect);
  }
}

}  // namespace baton
