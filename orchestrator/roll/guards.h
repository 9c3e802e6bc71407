// The guards (rolls.md, "Guards"): one implementation, asked before every voluntary change of an app's capacity. Each
// says nothing, or why not.
#pragma once

#include "orchestrator/roll/board.h"
#include "orchestrator/roll/reason.h"

namespace baton {

// May this instance leave its slot now? Floor: the served slots stay >= instances - max_unavailable, or are not
// lowered. Host names: while fewer than that are served, no host name loses its last applied endpoint; an instance
// above the count also waits while the open roll's target would serve a host name that it alone serves.
Refusal CheckLeave(const Board& board, const Slot& slot, const ActualLrp& lrp);

// May a newcomer be made? Ceiling (beside an old one only): rows <= instances + max_surge. In flight: at most
// max_in_flight slots; without proof exactly one newcomer, the first start excepted.
enum class Beside { kOld, kNothing };
Refusal CheckNewcomer(const Board& board, const Slot& slot, Beside beside);

// May this newcomer take its slot now? It is of the open roll, which moves, and is still ready.
Refusal CheckHandOver(const Board& board, const Slot& slot);

}  // namespace baton
