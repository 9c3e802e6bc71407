// The planner: what is to be done for one app, from its rows as they are now. Pure: rows and time in, changed rows,
// wake-up and reasons out. It runs inside the transaction, on locked rows, so that no plan is ever stale.
#pragma once

#include "orchestrator/model/app_edit.h"
#include "orchestrator/roll/plan.h"

namespace baton {

// Takes every step that is feasible now. `edit` holds all rows of the app, whether it is desired or not.
Plan PlanRoll(AppEdit& edit);

// The app's numbers; zeros where it is not desired.
RollProgress Progress(const AppState& app, const Moment& moment);

}  // namespace baton
