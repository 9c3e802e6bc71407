#include "orchestrator/roll/rules/restart_rule.h"

#include <algorithm>

namespace baton {

bool SourceIsNoUse(const SlotBoard& board) {
  const DefinitionId& source = board.roll()->source;
  if (source.empty()) return true;
  if (board.definition(source).proven_at) return false;
  if (board.QuietOf([&](const DefinitionId& id) { return board.SameContent(id, source); }) > 0) return false;
  return std::ranges::none_of(board.slots(), [&](const auto& entry) {
    const auto ready = [&](const ActualLrp* lrp) {
      return board.Ready(lrp) && board.SameContent(lrp->definition, source);
    };
    return ready(entry.second.ordinary) || ready(entry.second.surge) || ready(entry.second.evacuating);
  });
}

bool GaveUp(const SlotBoard& board, int index) {
  const Roll* roll = board.roll();
  const bool forward = roll && (roll->state == RollState::kRolling || roll->state == RollState::kPaused);
  return forward && board.strategy().on_failure == OnFailure::kContinue && board.Failed(index);
}

DefinitionId RestartDefinition(const SlotBoard& board, const Slot& slot) {
  const Roll* roll = board.roll();
  if (!roll) return board.desired().active;
  if (roll->state == RollState::kRollingBack) return Goal(*roll);
  if (SourceIsNoUse(board)) return roll->target;
  if (roll->state == RollState::kHeld || GaveUp(board, slot.index)) return roll->source;
  if (board.Proved() && board.Log(slot.index).handed_over) return roll->target;
  const bool slot_is_targets = slot.ordinary && board.SameContent(slot.ordinary->definition, roll->target);
  if (!board.CanSurge() && slot_is_targets && roll->state != RollState::kQueued) return roll->target;
  return roll->source;
}

std::optional<TimePoint> FillDueAt(const SlotBoard& board, const Slot& slot) {
  if (!board.Moves() || !board.Proved() || board.Serves(slot)) return std::nullopt;
  if (GaveUp(board, slot.index) && !SourceIsNoUse(board)) return std::nullopt;
  if (!slot.ordinary) return std::nullopt;  // a new slot: it gets a row first, and its time runs from then
  return slot.ordinary->down_since.value_or(slot.ordinary->since) + kRefillAfter;
}

}  // namespace baton
