// All rows of one process guid, as one transaction reads and locks them.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "orchestrator/model/actual_lrp.h"
#include "orchestrator/model/definition.h"
#include "orchestrator/model/desired_lrp.h"
#include "orchestrator/model/id.h"
#include "orchestrator/model/quiet_slots.h"
#include "orchestrator/model/roll.h"

namespace baton {

struct DefinitionKey {
  std::int64_t incarnation = 0;
  DefinitionId id;

  auto operator<=>(const DefinitionKey&) const = default;
};

// Of an app's finished rolls, so many are looked at, and outlive the collector (DeleteOldHistory).
inline constexpr std::size_t kPastRollsMax = 20;

struct AppState {
  ProcessGuid guid;
  std::optional<DesiredLrp> desired;
  std::optional<Roll> roll;                         // the open one
  std::map<int, SlotLog> slot_logs;                 // of the open one, by index
  std::vector<PastRoll> past_rolls;                 // of the present incarnation, newest first; kPastRollsMax
  std::map<DefinitionKey, Definition> definitions;  // of all incarnations
  std::map<ActualId, ActualLrp> actuals;            // of all incarnations
  QuietSlots quiet;                                 // made of all that is above; no row
};

// All instances, where no quiet slot is known.
template <class Look>
void EachInNoQuietSlot(const AppState& app, Look&& look) {
  if (!app.quiet.known()) {
    for (const auto& [id, lrp] : app.actuals) look(lrp);
    return;
  }
  for (const ActualId& id : app.quiet.rows()) {
    const auto row = app.actuals.find(id);
    if (row != app.actuals.end()) look(row->second);
  }
}

// What holds now: the open roll's, else the app's. The app is desired.
inline const Strategy& StrategyOf(const AppState& app) { return app.roll ? app.roll->strategy : app.desired->strategy; }

}  // namespace baton
