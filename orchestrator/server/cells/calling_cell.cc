#include "orchestrator/server/cells/calling_cell.h"

#include <algorithm>

#include "orchestrator/server/callers/access_gate.h"

namespace baton {

std::optional<CallingCell> CallingCell::Of(const ServerDependencies& dependencies,
                                           const grpc::ServerContextBase& context) {
  const auto caller = dependencies.gate ? dependencies.gate->CallerOf(context) : std::nullopt;
  if (!caller || caller->role != Role::kCell) return std::nullopt;
  const bool pulls = dependencies.gate->rules()->CellOf(caller->name).pulls;
  return CallingCell(CellId(caller->name), pulls, dependencies.leader.cells().open_orders());
}

Error CallingCell::NotOrdered(const ActualId& id) const {
  return {ErrorKind::kFailedPrecondition,
          "actual_id " + id.str() + " was not ordered of cell " + id_.str() + ", which may not take what waits by itself (batond --access)", {}};
}

Status CallingCell::MayClaim(const AppState& app, const ActualId& id, const InstanceGuid& start) const {
  const auto row = app.actuals.find(id);
  if (row == app.actuals.end() || baton::MayClaim(row->second, start, To(id))) return Done{};
  return NotOrdered(id);
}

Status CallingCell::MayReject(const AppState& app, const ActualId& id) const {
  const auto row = app.actuals.find(id);
  if (row == app.actuals.end() || baton::MayReject(row->second, To(id))) return Done{};
  return NotOrdered(id);
}

bool CallingCell::MayRead(const AppState& app, const DefinitionKey* definition) const {
  return std::ranges::any_of(app.actuals, [&](const auto& entry) {
    const ActualLrp& row = entry.second;
    const bool meant = !definition || *definition == DefinitionKey{row.incarnation, row.definition};
    return meant && MayReadDefinitionOf(row, To(row.id));
  });
}

}  // namespace baton
