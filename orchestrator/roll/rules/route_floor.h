// The floor, by route (docs/internals/rolls.md, "Guards"): no voluntary commit leaves a mapped route with fewer slots
// serving it than min(what it has now, instances - max_unavailable). A hand-over is no exception.
#pragma once

#include "orchestrator/roll/reason.h"
#include "orchestrator/roll/slot_board.h"

namespace baton {

// Slots with a ready instance whose definition leads this route somewhere; `place` in desired().routes.mapped.
int SlotsServing(const SlotBoard& board, std::size_t place);

// May this instance leave its slot, which then has what else is ready in it? `brings`: the definition that the commit
// puts in its place. A route that was accepted as unroutable for it, and for what the app goes to, is not looked at.
// Empty: none.
Refusal CheckRouteFloor(const SlotBoard& board, const Slot& slot, const ActualLrp& leaving, const DefinitionId& brings);

}  // namespace baton
