// The guards (rolls.md, "Guards"): one implementation, asked before every voluntary change of an app's capacity. Each
// says nothing, or why not.
#pragma once

#include "orchestrator/roll/reason.h"
#include "orchestrator/roll/slot_board.h"

namespace baton {

// May this instance leave its slot now? Floor: the served slots stay >= instances - max_unavailable, or are not
// lowered; the same for each route (route_floor.h). Routes: while fewer slots than that are served, no route loses its last
// applied endpoint; an instance above the count also waits while the open roll's target would serve a route that it
// alone serves. `brings`: the definition that the commit puts in its place; empty: none.
Refusal CheckLeave(const SlotBoard& board, const Slot& slot, const ActualLrp& lrp, const DefinitionId& brings = {});

// May a newcomer be made? Ceiling (beside an old one only): rows <= instances + max_surge. In flight: at most
// max_in_flight slots; without proof exactly one newcomer; none while slots that the roll handed over are not well
// (handed_over.h). The first start is excepted from all but the ceiling.
enum class Beside { kOld, kNothing };
Refusal CheckNewcomer(const SlotBoard& board, const Slot& slot, Beside beside);

// May a repair add a row to those that are there? Ceiling: not while it only has to wait for what stops. It must be
// passed where the slot's instance is on a cell that is lost or drains; where no wanted slot has an instance at all; and,
// filling a slot whose old instance runs and serves nobody, while the floor is at stake.
Refusal CheckRepair(const SlotBoard& board, const Slot& slot);

// May this newcomer take its slot now? It is of the open roll, which moves, is still ready, and serves each route that
// the old one serves, or the route's floor bears it; from a ready old one only while the slots that the roll handed over
// before are well.
Refusal CheckHandOver(const SlotBoard& board, const Slot& slot);

}  // namespace baton
