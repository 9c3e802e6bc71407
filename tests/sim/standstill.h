// What an election does to an app's times when nobody led it for more than a minute (decision 0018), as the statements
// Shift... of sql/statements/leases.sql do it.
#pragma once

#include "orchestrator/model/app_state.h"

namespace baton::sim {

inline constexpr Duration kStandstill = std::chrono::minutes(1);

// What ends goes along with the clock, and so does what began, but never beyond now.
void ShiftTimes(AppState& app, Duration by, TimePoint now);

}  // namespace baton::sim
