#include "orchestrator/app/cells/rejection.h"

#include "orchestrator/model/names.h"

namespace baton {

Status DecideRejected(AppEdit& edit, const InstanceRef& ref, const std::string& reason) {
  const auto at = edit.state().actuals.find(ref.id);
  if (at == edit.state().actuals.end()) {
    return Error{ErrorKind::kNotFound, "actual_id " + ref.id.str() + " does not exist (any more)", {}};
  }
  if (at->second.state == LrpState::kRunning) {
    return Error{ErrorKind::kFailedPrecondition,
                 "actual_id " + ref.id.str() + " cannot be rejected: it is " + std::string(Name(at->second.state)),
                 {}};
  }
  if (at->second.state == LrpState::kClaimed) {
    if (const Status forgotten = DecideForgotten(edit, ref); !forgotten) return forgotten;
    if (!edit.state().actuals.contains(ref.id)) return Done{};
  }
  const std::string& known = edit.state().actuals.at(ref.id).placement_error;
  if (known.find(reason) != std::string::npos) return Done{};  // it names this cell, and others
  return DecidePlacementError(edit, ref.id, reason);
}

}  // namespace baton
