// Instances that somebody asked to have replaced although they are well (rolls.md, RetireInstances): who replaces them.
#pragma once

#include "orchestrator/model/app_state.h"
#include "orchestrator/model/strategy.h"

namespace baton {

// An open roll goes away from what this instance of a slot runs. If somebody asks for it to go, the slot is one of the
// roll's next ones, and nothing of what it runs is started for it; while the roll stands still, it waits.
bool LeftToRoll(const AppState& app, const ActualLrp& lrp);

// What it waits for while the open roll takes no steps towards its goal.
std::string WhatMovesTheRoll(const Roll& roll);

// So many slots at a time are replaced because somebody asked.
int RetiredAtOnce(const Strategy& strategy, const Limits& limits);

}  // namespace baton
