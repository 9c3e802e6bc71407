// Finds the instance that a baton.v1 cell means. Such a cell names the slot and its own instance_guid. The rules are
// Diego's, where a slot has one definition, the active one. Pure.
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

// Finds the instance, claims it if it is unclaimed, and records its start.
Status DecideStartInSlot(AppEdit& edit, const SlotRef& slot, StartReport report);
// Removes the instance of the slot, running or not; the planner replaces it if the slot is still desired.
// `only_leaving`: FAILED_PRECONDITION unless the instance is evacuating or retiring.
Status DecideRemoveFromSlot(AppEdit& edit, const SlotRef& slot, bool only_leaving = false);

// Its cell wants to let go of it. `keep`: not yet, it serves until its replacement does.
Status DecideEvacuateSlot(AppEdit& edit, const SlotRef& slot, bool& keep);

}  // namespace baton
