// Operators' changes of an open roll (pause, resume, promote, ...), and rollback to an older definition. Pure.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "orchestrator/base/result.h"
#include "orchestrator/model/app_edit.h"
#include "orchestrator/roll/law.h"

namespace baton {

// What people may ask of an open roll; the simulation asks for each of them. All other events are the planner's.
inline constexpr std::array kEventsByHand = {RollEvent::kPause, RollEvent::kResume, RollEvent::kPromote,
                                             RollEvent::kRetry, RollEvent::kCancel};

struct ChangeRollRequest {
  RollEvent event = RollEvent::kPause;  // one of kEventsByHand
  std::optional<RollId> roll_id;        // the open roll must be this one
  std::string reason;
};

// That the app has an open roll, and it is this one. NOT_FOUND: no app or no open roll. ABORTED: another roll is open.
Status CheckOpenRoll(const AppEdit& edit, const std::optional<RollId>& id);

// NOT_FOUND: no app or no open roll. ABORTED: another roll is open. FAILED_PRECONDITION: not in its state; or a
// cancel without a source, or with a source that equals the target.
Status DecideChangeRoll(AppEdit& edit, const ChangeRollRequest& request);

// An update to a kept, proven definition; without an identifier the healthy one, or, where that is active, the proven
// one before it. NOT_FOUND: not kept. FAILED_PRECONDITION: not proven.
Status DecideRollBack(AppEdit& edit, const std::optional<DefinitionId>& id);

}  // namespace baton
