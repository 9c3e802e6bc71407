// RetireInstances: replace instances although they are well (the seed: by name, or by {name, version}). Pure.
#pragma once

#include <optional>

#include "orchestrator/model/app_edit.h"
#include "orchestrator/model/result.h"

namespace baton {

// Those of a definition, of a slot, or all.
struct WhichInstances {
  std::optional<DefinitionId> definition;
  std::optional<int> index;
};

// What runs is marked, and the planner replaces it in its turn; what crashed is made anew at once. `marked` gets how many.
// NOT_FOUND: the app is not desired, keeps no such definition, or nobody holds that slot.
Status DecideRetireInstances(AppEdit& edit, const WhichInstances& which, int& marked);

}  // namespace baton
