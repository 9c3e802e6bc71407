// The token of a plan: by it an update is done only if nothing has changed since it was planned.
#pragma once

#include <string>

#include "orchestrator/base/result.h"
#include "orchestrator/model/app_state.h"

namespace baton {

// Of an app as it is and of what is asked of it (`content`). Instances may come and go; another wish, another roll or
// another state of it is a change.
std::string PlanToken(const AppState& app, const std::string& content);

// An update that was planned.
struct PlanGiven {
  std::string token;
  std::string content;  // of this update, as for PlanToken
};

// ABORTED where the token is not the one of now.
Status CheckPlan(const PlanGiven& plan, const AppState& app);

}  // namespace baton
