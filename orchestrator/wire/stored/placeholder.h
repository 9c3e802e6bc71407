// Placeholders for lost definitions: their rows were deleted after a foreign key was dropped. A call that replaces or
// removes such an app needs rows that its other rows can reference until they go.
#pragma once

#include <set>

#include "orchestrator/model/app_edit.h"

namespace baton::wire {

// Before what is asked is decided. Each lost definition gets a row that nothing can be started from, with the ports that
// its instances listen on. What may run of it is asked to be replaced, what cannot run goes, and nothing goes back to it.
void AddPlaceholders(AppEdit& edit, const std::set<DefinitionKey>& lost);

}  // namespace baton::wire
