// Changing the open roll's state: the law says where to, this says what else changes in the same commit.
#pragma once

#include <string>

#include "orchestrator/base/result.h"
#include "orchestrator/model/app_edit.h"
#include "orchestrator/roll/law.h"

namespace baton {

// FAILED_PRECONDITION where the law refuses it. `edit` has an open roll.
Status ApplyRollEvent(AppEdit& edit, RollEvent event, const std::string& reason);

}  // namespace baton
