// Strategies, both ways.
#pragma once

#include "baton/v2/strategy.pb.h"
#include "orchestrator/model/result.h"
#include "orchestrator/model/strategy.h"
#include "orchestrator/model/strategy_patch.h"

namespace baton::wire {

// The fields that are set. INVALID_ARGUMENT with field, value and limit.
Result<StrategyPatch> PatchFrom(const v2::Strategy& message);

// Every field set.
void Fill(const Strategy& strategy, v2::Strategy& message);
v2::Strategy ToMessage(const Strategy& strategy);

}  // namespace baton::wire
