// What convergence looks at, as narrow rows. Within a snapshot.
#pragma once

#include <vector>

#include "orchestrator/model/app_state.h"
#include "orchestrator/model/convergence/convergence.h"
#include "sql/session/session.h"

namespace baton {

SweepView ReadSweepView(Session& session, PassKind kind);

// Apps with definitions that may be collected, with what the rule (orchestrator/roll/rules/collect.h) asks of their
// rows and nothing else: of instances only that a definition has one.
std::vector<AppState> ReadCollectable(Session& session, const ProcessGuid& after, int history, int limit);

}  // namespace baton
