// Why is a definition kept? (rolls.md, "Collecting") One function for the collector, for lists and for the dump tool.
#pragma once

#include <string_view>
#include <vector>

#include "orchestrator/model/app_state.h"

namespace baton {

enum class KeepReason { kActive, kHealthy, kRollSource, kRollTarget, kInstance, kHistory, kPinned };

std::string_view Name(KeepReason reason);

// How many proven definitions before the active one stay, so that an update can be undone.
inline constexpr int kHistoryDefault = 2;

// `history`: of apps that do not say it themselves.
// Empty: nothing needs it. UNCLAIMED and CLAIMED instances count like any other, and a definition is the roll's target
// from the commit on that created it, so a new definition is never collectable in between.
std::vector<KeepReason> WhyKept(const AppState& app, const DefinitionKey& key, int history);

// All that nothing needs.
std::vector<DefinitionKey> Unreferenced(const AppState& app, int history);

}  // namespace baton
