// Which definition does an instance start on, other than as the roll's newcomer? (rolls.md; one rule for repairs,
// crashes, lost cells, evacuation and new slots.) So a bad version never spreads by accident, and never keeps a slot
// that a good one could serve.
#pragma once

#include "orchestrator/roll/slot_board.h"

namespace baton {

DefinitionId RestartDefinition(const SlotBoard& board, const Slot& slot);

// The source is missing, or is unproven and has no ready instance: nothing is lost by starting the target.
bool SourceIsNoUse(const SlotBoard& board);

// The slot failed, on_failure is CONTINUE, and the roll goes forward or is paused on its way: what serves nobody there
// goes back to the source.
bool GaveUp(const SlotBoard& board, int index);

// A slot that has served nobody for so long is filled with a proven target in place.
inline constexpr Duration kRefillAfter = seconds(30);

// When the slot may be filled with the goal in place because the goal has proof; nothing: never, as things are.
std::optional<TimePoint> FillDueAt(const SlotBoard& board, const Slot& slot);

}  // namespace baton
