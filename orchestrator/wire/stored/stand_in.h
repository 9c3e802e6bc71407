// An app whose definition's row is gone: somebody dropped a foreign key, and deleted it. Who replaces or removes the app needs
// something in its place, that other rows may name until they go.
#pragma once

#include <set>

#include "orchestrator/model/app_edit.h"

namespace baton::wire {

// Before what is asked is decided. Each lost definition gets a row that nothing can be started from, with the ports that
// its instances listen on. What may run of it is asked to be replaced, what cannot run goes, and nothing goes back to it.
void StandIn(AppEdit& edit, const std::set<DefinitionKey>& lost);

}  // namespace baton::wire
