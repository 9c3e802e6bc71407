// A ready newcomer takes its slot; the old one drains. Final: if the newcomer dies later, the slot is repaired,
// nothing is put back.
#include "orchestrator/roll/phases/phases.h"
#include "orchestrator/roll/rules/guards.h"

namespace baton {

void HandOver(SlotBoard& board) {
  if (!board.Moves()) return;
  for (auto& [index, slot] : board.slots()) {
    if (!slot.surge) continue;
    if (Refusal refusal = CheckHandOver(board, slot)) {
      // That it is not ready yet, ExplainWaiting says.
      if (refusal->rule != rule::kMinHealthy) board.plan().reasons.push_back(*std::move(refusal));
      continue;
    }
    const ActualLrp& newcomer = *slot.surge;
    const ActualLrp* old = slot.ordinary;
    const Duration took = newcomer.claimed_at ? *newcomer.routable_since - *newcomer.claimed_at : Duration(0);
    board.Alter(newcomer, {StepKind::kHandedOver, "it is ready: the slot is its own", took}, [&](ActualLrp& row) {
      row.presence = Presence::kOrdinary;
      row.handed_over_at = board.now();
    });
    if (old) board.RetireOrRemove(*old, {StepKind::kWithdrawn, "its slot was handed over"});
    MarkProven(board);
    board.Refresh(index);
  }
}

}  // namespace baton
