// RETIRING instances of the present incarnation: stop what has drained, forget what is gone.
#include "orchestrator/roll/drain.h"
#include "orchestrator/roll/phases/phases.h"

namespace baton {
namespace {

void StopOne(Board& board, const ActualLrp& old) {
  std::optional<TimePoint> wake_at;
  Plan& plan = board.plan();
  const ActualId id = old.id;
  switch (NextDrainStep(old, board.edit().moment(), board.GoneWithCell(old), wake_at)) {
    case DrainStep::kRemove: {
      const Duration took = old.retiring_since ? board.now() - *old.retiring_since : Duration(0);
      board.Remove(old, {StepKind::kRetired, MayRun(old) ? "its cell is lost" : "it runs nowhere", {}, took});
      return;
    }
    case DrainStep::kOrderStop:
      board.Alter(old, {StepKind::kStopOrdered, WhyStopped(old, board.edit().moment())},
                  [&](ActualLrp& row) { row.stop_ordered_at = board.now(); });
      plan.WakeAt(board.now() + board.strategy().stop_timeout);
      [[fallthrough]];
    case DrainStep::kTellCell:
      plan.to_stop.push_back(id);
      if (board.Overdue(old)) plan.overdue.push_back(id);
      break;
    case DrainStep::kWait: break;
  }
  if (wake_at) plan.WakeAt(*wake_at);
}

}  // namespace

void StopDrained(Board& board) {
  for (auto& [index, slot] : board.slots()) {
    const auto retiring = slot.retiring;  // a copy: removing changes the slot
    for (const ActualLrp* old : retiring) StopOne(board, *old);
  }
}

}  // namespace baton
