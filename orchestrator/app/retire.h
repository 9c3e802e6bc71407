// RetireInstances: replace instances although they are well (the seed: by name, or by {name, version}). Pure.
#pragma once

#include <optional>

#include "orchestrator/model/app_edit.h"
#include "orchestrator/model/result.h"

namespace baton {

// Those of `definition`, or all. What runs is marked, and the planner replaces it in its turn; what crashed is made
// anew at once. `marked` gets how many. NOT_FOUND: the app is not desired, or keeps no such definition.
Status DecideRetireInstances(AppEdit& edit, const std::optional<DefinitionId>& definition, int& marked);

}  // namespace baton
