#include <algorithm>

#include "tests/sim/oracle.h"
#include "tests/sim/world.h"

namespace baton::sim {

// Where a roll goes away from what was asked to go, it is the roll that replaces it: for the asking itself nothing of
// the retired definition is begun in its slot. A cell that is lost, comes back or drains, a crash, and a start that
// takes too long are reasons of their own.
void Oracle::CheckRetired(const std::string& name, const AppState& app, const AppChanges& changes) {
  const auto& before = roll_before_[app.guid];
  if (!app.desired || !app.roll || !before) return;
  const auto hash = [&](const ActualLrp& lrp, const DefinitionId& id) {
    return app.definitions.at({lrp.incarnation, id}).content_hash;
  };
  const Moment& moment = world_.store().moment();
  const auto& rows = rows_before_[app.guid];
  for (const auto& [id, asked] : rows) {
    if (!asked.retire_asked || asked.presence != Presence::kOrdinary || !MayRun(asked) || !asked.routable) continue;
    if (asked.incarnation != app.desired->incarnation || asked.index >= app.desired->instances) continue;
    const bool cells_own = std::ranges::any_of(rows, [&](const auto& entry) {
      const ActualLrp& lrp = entry.second;
      const bool beside = lrp.index == asked.index && lrp.incarnation == asked.incarnation;
      return beside && (lrp.presence == Presence::kSuspect || moment.Lost(lrp.cell_id) || moment.Draining(lrp.cell_id));
    });
    if (cells_own) continue;
    const std::string own = hash(asked, asked.definition);
    if (own == hash(asked, before->state == RollState::kRollingBack ? before->source : before->target)) continue;
    if (own == hash(asked, app.desired->active)) continue;
    for (const ActualId& made : changes.inserted) {
      const ActualLrp& lrp = app.actuals.at(made);
      if (lrp.incarnation != asked.incarnation || lrp.index != asked.index || hash(lrp, lrp.definition) != own)
        continue;
      world_.Broken("retired after " + name + ": " + app.guid.str() +
                    " begins what it was asked to be rid of: " + lrp.id.str() + " of " + lrp.definition.str() +
                    " in place of " + id.str() + ", slot " + std::to_string(lrp.index));
    }
  }
}

}  // namespace baton::sim
