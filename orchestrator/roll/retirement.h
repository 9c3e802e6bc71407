// Who replaces the healthy instances that RetireInstances names (rolls.md): the restart rule or an open roll.
#pragma once

#include "orchestrator/model/app_state.h"
#include "orchestrator/model/strategy.h"

namespace baton {

// An open roll is replacing the definition that this instance runs. A request to retire it makes its slot one of the
// roll's next. No instance of the old definition is started for it. While the roll is paused or held, it waits.
bool LeftToRoll(const AppState& app, const ActualLrp& lrp);

// What it waits for while the open roll takes no steps towards its goal.
std::string WhatMovesTheRoll(const Roll& roll);

// How many slots are replaced at a time for RetireInstances.
int RetiredAtOnce(const Strategy& strategy, const Limits& limits);

}  // namespace baton
