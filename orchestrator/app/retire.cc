#include "orchestrator/app/retire.h"

#include <algorithm>
#include <string>
#include <vector>

namespace baton {
namespace {

bool IsHeld(const AppState& app, int index) {
  return std::ranges::any_of(app.actuals, [&](const auto& row) {
    const ActualLrp& lrp = row.second;
    return lrp.index == index && lrp.presence == Presence::kOrdinary && lrp.incarnation == app.desired->incarnation;
  });
}

}  // namespace

Status DecideRetireInstances(AppEdit& edit, const WhichInstances& which, int& marked) {
  const AppState& app = edit.state();
  marked = 0;
  if (!app.desired) return Error{ErrorKind::kNotFound, "process_guid " + app.guid.str() + " is not desired"};
  const std::int64_t incarnation = app.desired->incarnation;
  if (which.definition && !app.definitions.contains({incarnation, *which.definition})) {
    return Error{ErrorKind::kNotFound, "definition_identifier " + which.definition->str() + " is not kept (any more)"};
  }
  if (which.index && !IsHeld(app, *which.index)) {
    return Error{ErrorKind::kNotFound, "process_guid " + app.guid.str() + " has no instance with index " +
                                           std::to_string(*which.index)};
  }
  std::vector<ActualId> ids;
  for (const auto& [id, lrp] : app.actuals) {
    const bool meant = lrp.incarnation == incarnation && (!which.definition || lrp.definition == *which.definition) &&
                       (!which.index || lrp.index == *which.index);
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
                  .text = std::to_string(marked) + " instances" + (which.definition ? " of " + which.definition->str() : "") +
                          " are to be replaced, asked by " + edit.actor()});
  }
  return Done{};
}

}  // namespace baton
