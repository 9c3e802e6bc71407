// What an update does to the bindings of an app's definitions (docs/internals/rolls.md, "Ports and routes"). Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "orchestrator/model/app_edit.h"
#include "orchestrator/routing/bindings.h"

namespace baton {

// Where every definition's routes lead before an update touches anything.
struct BindingsBefore {
  std::map<DefinitionKey, Bindings> of;
  DefinitionId active;
};
BindingsBefore TakeBindings(const AppState& app);

struct RouteUpdate {
  bool routes_given = false;           // the app's routes are those of this update
  std::optional<DefinitionId> brings;  // the definition that the update makes active; it is stored
  bool aliases_given = false;          // with it
  bool accept_unroutable = false;
};

// Binds the app's routes, as they are now, in each of its definitions. FAILED_PRECONDITION where a route would be
// unbound in the definition that the update brings, or would be served by no instance that runs or is about to.
Status BindRoutes(AppEdit& edit, const BindingsBefore& before, const RouteUpdate& update);

// FAILED_PRECONDITION naming the first route that leads nowhere in this definition, and what helps.
Status CheckBound(const Routes& routes, const Definition& definition);

}  // namespace baton
