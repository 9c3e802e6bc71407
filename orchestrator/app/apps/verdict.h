// Applies an external verdict to its roll. Pure.
#pragma once

#include "orchestrator/base/result.h"
#include "orchestrator/model/app_edit.h"
#include "orchestrator/model/verdict.h"

namespace baton {

// A verdict on another roll, or on a stage that is passed, comes too late and changes nothing: FAILED_PRECONDITION.
// "fail" passes the stage too: the roll fails as soon as it is ROLLING, by its on_failure.
Status DecideVerdict(AppEdit& edit, const VerdictQuestion& question, const VerdictAnswer& answer);

}  // namespace baton
