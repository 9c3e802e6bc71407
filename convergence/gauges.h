// Gauges of what a pass saw, computed from the rows of one snapshot.
#pragma once

#include "orchestrator/model/convergence/convergence.h"
#include "orchestrator/ports/metrics.h"

namespace baton {

// Each state is there, also with 0. What a pass of this kind does not look at stays as it was.
void SetGauges(Metrics& metrics, const SweepView& view);
// Of who leads no more: another one counts.
void ClearGauges(Metrics& metrics);

}  // namespace baton
