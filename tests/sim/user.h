// The simulated users: controllers, autoscalers and operators, all at once and in no good order.
#pragma once

#include "tests/sim/world.h"

namespace baton::sim {

// One call, drawn by the seed.
void ActAsUser(World& world);
// The last words before the end: paused rolls are resumed and stages promoted, so that the run can come to one.
void EndAsUser(World& world);

}  // namespace baton::sim
