// The planner: what is to be done for one app, from its rows as they are now. Pure: rows and time in, changed rows,
// wake-up and reasons out. It runs inside the transaction, which commits only where what it changes is as it was read.
#pragma once

#include <vector>

#include "orchestrator/model/app_edit.h"
#include "orchestrator/roll/plan.h"

namespace baton {

// Set by tests before the first plan, and in debug builds: each round compares its board with one of all slots that is
// made anew, and CHECKs.
extern bool check_boards;

// Takes every step that is feasible now. `edit` holds all rows of the app, whether it is desired or not.
Plan PlanRoll(AppEdit& edit, Reasons named = Reasons::kEach);

struct SlotState {
  int index = 0;
  bool served = false;   // has a ready instance
  bool updated = false;  // its ORDINARY one is ready and of what the roll goes to, or of the active definition
};
// Of every slot that has a row or is wanted; empty where the app is not desired.
std::vector<SlotState> SlotStates(const AppState& app, const Moment& moment);

// The fewest slots that serve any one of the app's routes; the instance count where it has none.
int LeastServedRoute(const AppState& app, const Moment& moment);

// The app's numbers; zeros where it is not desired.
RollProgress Progress(const AppState& app, const Moment& moment);

}  // namespace baton
