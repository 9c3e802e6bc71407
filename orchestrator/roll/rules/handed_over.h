// A slot that the open roll handed over, and whose target crashed since: ready once more proves little of a version that
// dies a moment after min_healthy_time. It must stay ready for twice as long with each crash.
#pragma once

#include <optional>

#include "orchestrator/roll/reason.h"
#include "orchestrator/roll/slot_board.h"

namespace baton {

// min_healthy_time x 2^crashes, at most progress_deadline.
Duration SteadyTime(const Strategy& strategy, int crashes);

// When the slot has been ready for long enough, if it stays so; nothing: it is not ready with the target.
std::optional<TimePoint> SteadyAt(const SlotBoard& board, const Slot& slot);

// No crash since its hand-over, or ready for long enough since the last one.
bool IsSteady(const SlotBoard& board, const Slot& slot);

// May a voluntary step towards the target be taken in this slot? Not while more than max_failed_slots of those that
// this roll handed over are not ready, or not for long enough after a crash. Only asked forward: repairs, fills, the way
// back and slots that run the source are never stopped by it.
Refusal CheckHandedOver(const SlotBoard& board, int index);

}  // namespace baton
