// Which slots a board has: all, or the open ones, where those before them were found quiet and still are
// (docs/decisions/0056).
#pragma once

#include "orchestrator/model/app_edit.h"
#include "orchestrator/model/app_state.h"
#include "orchestrator/model/moment.h"
#include "orchestrator/model/quiet_slots.h"
#include "orchestrator/roll/slot.h"
#include "orchestrator/roll/slot_board.h"

namespace baton {

// With their rows; of the app, which is desired.
Slots LayAllSlots(const AppState& app);
Slots LayOpenSlots(const AppState& app);

// Its slots are looked at from the beginning.
void BeginQuiet(AppEdit& edit, QuietSlots::Basis basis);
QuietSlots::Basis BasisOf(const SlotBoard& board);
// No cell of a quiet slot is lost or drains by now.
bool CellsStay(const AppState& app, const Moment& moment);

// As long as what BasisOf says is the same, its cell stays and its row and its log do, no phase does anything with the
// slot, and time alone changes nothing. Phases that look at all slots ask the board for numbers of these.
bool IsQuiet(const SlotBoard& board, const Slot& slot);
// The end of this board: what is quiet by now is left to the app for the next one.
void LeaveQuiet(SlotBoard& board);

// Whether a board of all slots that is made anew says the same.
bool IsAsNew(SlotBoard& board);

}  // namespace baton
