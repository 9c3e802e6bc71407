#include "orchestrator/app/apps/change_roll.h"

#include <algorithm>

#include "orchestrator/app/apps/bind_routes.h"
#include "orchestrator/app/apps/update.h"
#include "orchestrator/base/check.h"
#include "orchestrator/model/names.h"
#include "orchestrator/roll/transition.h"

namespace baton {
namespace {

Error NoApp(const AppEdit& edit) {
  return {ErrorKind::kNotFound, "process_guid " + edit.state().guid.str() + " is not desired"};
}

// What `rollout undo` means when no definition is named.
std::optional<DefinitionId> BestBefore(const AppState& app) {
  const DesiredLrp& desired = *app.desired;
  if (!desired.healthy.empty() && desired.healthy != desired.active) return desired.healthy;
  const Definition* best = nullptr;
  for (const auto& [key, definition] : app.definitions) {
    if (key.incarnation != desired.incarnation || key.id == desired.active || !definition.proven_at) continue;
    if (!best || *best->proven_at < *definition.proven_at) best = &definition;
  }
  if (!best) return std::nullopt;
  return best->id;
}

}  // namespace

Status CheckOpenRoll(const AppEdit& edit, const std::optional<RollId>& id) {
  if (!edit.state().desired) return NoApp(edit);
  const auto& roll = edit.state().roll;
  if (!roll) return Error{ErrorKind::kNotFound, "no roll of " + edit.state().guid.str() + " is open"};
  if (id && *id != roll->id) {
    return Error{ErrorKind::kAborted, "roll_id is " + id->str() + ", the open roll is " + roll->id.str()};
  }
  return Done{};
}

Status DecideChangeRoll(AppEdit& edit, const ChangeRollRequest& request) {
  CHECK(std::ranges::find(kEventsByHand, request.event) != kEventsByHand.end());
  if (Status open = CheckOpenRoll(edit, request.roll_id); !open) return open;
  const auto& roll = edit.state().roll;
  if (request.event == RollEvent::kCancel && Advance(roll->state, RollEvent::kCancel)) {
    if (roll->source.empty()) {
      return Error{ErrorKind::kFailedPrecondition, "this is the app's first start: there is nothing to go back to"};
    }
    if (roll->source == roll->target) {
      return Error{ErrorKind::kFailedPrecondition, "source and target are both " + roll->source.str()};
    }
  }
  const std::string asked = std::string(Name(request.event)) + " by " + edit.actor();
  return ApplyRollEvent(edit, request.event, request.reason.empty() ? asked : asked + ": " + request.reason);
}

Status DecideRollBack(AppEdit& edit, const std::optional<DefinitionId>& id) {
  if (!edit.state().desired) return NoApp(edit);
  const auto target = id ? id : BestBefore(edit.state());
  if (!target) return Error{ErrorKind::kFailedPrecondition, "no other definition of this app was ever proven"};
  const auto at = edit.state().definitions.find({edit.state().desired->incarnation, *target});
  if (at == edit.state().definitions.end()) {
    return Error{ErrorKind::kNotFound, "definition_identifier " + target->str() + " is not kept (any more)"};
  }
  if (!at->second.proven_at) {
    return Error{ErrorKind::kFailedPrecondition, "definition_identifier " + target->str() + " was never proven"};
  }
  if (Status status = CheckBound(edit.state().desired->routes, at->second); !status) return status;
  return SwitchTo(edit, *target, /*retry=*/true);
}

}  // namespace baton
