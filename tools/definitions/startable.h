// Finds stored definitions that are intact but could not be started again: no cell fits, or the API would refuse them
// today. Their instances may still run, so these are warnings and no faults. Pure.
#pragma once

#include <vector>

#include "baton/v2/definition.pb.h"
#include "orchestrator/model/app_state.h"
#include "orchestrator/model/fleet/cell.h"
#include "orchestrator/model/fleet/egress.h"
#include "tools/definitions/findings.h"

namespace baton::definitions {

struct KnownFleet {
  std::vector<CellRecord> cells;  // all that are registered; none: what cells take is not known
  EgressPolicy egress;
};

// Whether instances may still be started from it: it is active, healthy, an open roll's, or has instances.
bool MayStart(const AppState& app, const DefinitionKey& key);

// A warning for each field: `message` is the definition whole.
std::vector<CheckFinding> StartWarnings(const AppState& app, const Definition& definition, const v2::LRPDefinition& message,
                                   const KnownFleet& fleet);

}  // namespace baton::definitions
