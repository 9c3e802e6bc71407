// While the data is of schema 1.x still, where an app has one definition and nothing rolls: what may be written.
#pragma once

#include "orchestrator/base/result.h"
#include "orchestrator/model/fleet/upgrade.h"
#include "orchestrator/model/id.h"

namespace baton {

// FAILED_PRECONDITION for a call of baton.v2 itself; what baton.v1 asks through it (`in_v1`) goes on.
Status MayWrite(const DataMode& data, bool in_v1);

// FAILED_PRECONDITION where an app that had the one definition is to have the other.
Status StaysTheSame(const DataMode& data, const DefinitionId& before, const DefinitionId& after);

}  // namespace baton
