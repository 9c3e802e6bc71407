#include "orchestrator/app/retire.h"

#include <string>
#include <vector>

namespace baton {

Status DecideRetireInstances(AppEdit& edit, const std::optional<DefinitionId>& definition, int& marked) {
  const AppState& app = edit.state();
  marked = 0;
  if (!app.desired) return Error{ErrorKind::kNotFound, "process_guid " + app.guid.str() + " is not desired"};
  const std::int64_t incarnation = app.desired->incarnation;
  if (definition && !app.definitions.contains({incarnation, *definition})) {
    return Error{ErrorKind::kNotFound, "definition_identifier " + definition->str() + " is not kept (any more)"};
  }
  std::vector<ActualId> ids;
  for (const auto& [id, lrp] : app.actuals) {
    const bool meant = lrp.incarnation == incarnation && (!definition || lrp.definition == *definition);
    const bool stays = lrp.presence == Presence::kOrdinary || lrp.presence == Presence::kSurge;
    if (meant && stays && lrp.state != LrpState::kUnclaimed) ids.push_back(id);
  }
  for (const ActualId& id : ids) {
    ++marked;
    const ActualLrp& lrp = app.actuals.at(id);
    if (MayRun(lrp)) {
      edit.Change(id).retire_asked = true;
    } else if (lrp.presence == Presence::kOrdinary) {
      edit.Remove(id);
    }
  }
  if (app.roll && marked > 0) {
    edit.LogStep({.kind = StepKind::kState,
                  .text = std::to_string(marked) + " instances" + (definition ? " of " + definition->str() : "") +
                          " are to be replaced, asked by " + edit.actor()});
  }
  return Done{};
}

}  // namespace baton
