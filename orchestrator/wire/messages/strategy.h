// Strategies, both ways.
#pragma once

#include "baton/v2/strategy.pb.h"
#include "orchestrator/model/strategy.h"
#include "orchestrator/model/strategy_patch.h"

namespace baton::wire {

// The fields that are set. Nothing is refused: what a request may say is checked at the door (field_limits.h), and what was
// stored before a limit was tightened stays readable. A number that no arithmetic could bear is taken as the nearest one
// that it can, a value of an enumeration that is not known as not set.
StrategyPatch PatchFrom(const v2::Strategy& message);

// Every field set.
void Fill(const Strategy& strategy, v2::Strategy& message);
v2::Strategy ToMessage(const Strategy& strategy);

}  // namespace baton::wire
