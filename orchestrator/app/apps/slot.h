// Which instance somebody means who knows only its slot and his own name for it: Diego's kind of cell, whose rules these
// are (a slot has one definition there, the active one). Pure.
#pragma once

#include "orchestrator/app/apps/lifecycle.h"

namespace baton {

struct SlotRef {
  int index = 0;
  // His name for the start; both empty: he has none.
  InstanceGuid instance_guid;
  CellId cell_id;
};

// Each finds the row that runs under that name, whatever part it plays by now. Otherwise:
// NOT_FOUND: the slot has no row; FAILED_PRECONDITION: it has, and none that the call could be about.

// What waits for a cell: the ORDINARY row before the newcomer, and only of the active definition's content, because he
// will start no other.
Result<ActualId> FindToClaim(const AppState& app, const SlotRef& slot);
// He may have started it without having claimed it.
Result<ActualId> FindToStart(const AppState& app, const SlotRef& slot);
Result<ActualId> FindToCrash(const AppState& app, const SlotRef& slot);
// What waits for a cell, of any definition.
Result<ActualId> FindToFail(const AppState& app, const SlotRef& slot);
// Without a name: who holds the slot. NOT_FOUND also where his name is not one that runs (Diego).
Result<ActualId> FindToRemove(const AppState& app, const SlotRef& slot);

// Found, claimed where nobody has, and started.
Status DecideStartInSlot(AppEdit& edit, const SlotRef& slot, StartReport report);
// It is there no more: what runs nowhere goes as well, and is made anew where it is wanted. `only_leaving`: only what is on
// its way out, FAILED_PRECONDITION else.
Status DecideRemoveFromSlot(AppEdit& edit, const SlotRef& slot, bool only_leaving = false);

// Its cell wants to let go of it. `keep`: not yet, it serves until its replacement does.
Status DecideEvacuateSlot(AppEdit& edit, const SlotRef& slot, bool& keep);

}  // namespace baton
