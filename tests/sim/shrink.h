// Makes a failing schedule smaller: less trouble, fewer wishes, fewer apps, as long as it breaks the same promise.
#pragma once

#include "tests/sim/world.h"

namespace baton::sim {

Options Shrink(Options options);

// The arguments of `./dev sim` that make `options` of what their seed draws.
std::string ReplayArguments(const Options& options);

}  // namespace baton::sim
