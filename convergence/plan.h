// Finds in one snapshot what differs from the desired state. Pure. A finding only wakes the app's planner, which
// decides on rows of its own, so a stale finding does no harm.
#pragma once

#include <set>
#include <vector>

#include "orchestrator/model/convergence/convergence.h"

namespace baton {

// An UNCLAIMED instance waits so long for a cell before it is offered again (Diego).
inline constexpr Duration kStaleUnclaimed = seconds(30);
// A CLAIMED one so long to become RUNNING before its app is looked at.
inline constexpr Duration kStaleClaimed = seconds(60);
// A RETIRING one so long beyond its drain_timeout: until then a silent router's lease may keep it.
inline constexpr Duration kStuckRetiring = seconds(60);
// A stop so long after it was ordered.
inline constexpr Duration kOverdueStop = seconds(60);

// `driven`: apps whose open roll is looked after in memory.
std::vector<Finding> FindOut(const SweepView& view, const std::set<ProcessGuid>& driven);

}  // namespace baton
