// RETIRING instances of the present incarnation: stop what has drained, forget what is gone.
#include "orchestrator/roll/drain.h"
#include "orchestrator/roll/phases/phases.h"

namespace baton {
namespace {

void StopOne(SlotBoard& board, const ActualLrp& old) {
  switch (Drain(old, board.strategy(), board.GoneWithCell(old), board.edit().moment(), board.plan())) {
    case DrainStep::kRemove: {
      const Duration took = old.retiring_since ? board.now() - *old.retiring_since : Duration(0);
      board.Remove(old, {StepKind::kRetired, MayRun(old) ? "its cell is lost" : "it runs nowhere", {}, took});
      break;
    }
    case DrainStep::kOrderStop:
      board.Alter(old, {StepKind::kStopOrdered, WhyStopped(old, board.edit().moment())},
                  [&](ActualLrp& row) { row.stop_ordered_at = board.now(); });
      board.plan().WakeAt(board.now() + board.strategy().stop_timeout);
      break;
    case DrainStep::kNone: break;
  }
}

}  // namespace

void StopDrained(SlotBoard& board) {
  for (auto& [index, slot] : board.slots()) {
    const auto retiring = slot.retiring;  // a copy: removing changes the slot
    for (const ActualLrp* old : retiring) StopOne(board, *old);
  }
}

}  // namespace baton
