// PlanUpdate: what an update would do, and the token by which it is done only if nothing has changed since.
#pragma once

#include <string>

#include "baton/v2/desired_lrps_service.pb.h"
#include "orchestrator/app/apps/forecast.h"
#include "orchestrator/ports/reader.h"
#include "orchestrator/server/apps/verdict_hosts.h"
#include "orchestrator/server/callers/grant.h"

namespace baton {

// Of an app as it is and of the request that is planned: its plan_token and idempotency_key do not count. Instances may
// come and go; another wish, another roll or another state of it is a change.
std::string PlanToken(const AppState& app, const v2::UpdateDesiredLRPRequest& request);
std::string PlanToken(const AppState& app, const v2::ReplaceDesiredLRPRequest& request);

// Where `token` is given and is not the one of now: ABORTED.
template <class Request>
Status CheckPlanToken(const std::string& token, const AppState& app, const Request& request) {
  if (token.empty() || token == PlanToken(app, request)) return Done{};
  return Error{ErrorKind::kAborted,
               "plan_token is not of this update, or the app or its roll has changed since it was planned: plan again",
               {}};
}

// What a plan asks beside the rows.
struct PlanSurroundings {
  std::vector<CellOffer> cells;  // count for nothing where only the changes are asked for
  MayAskVerdict may_ask_verdict;
  Grant grant;
  const HostOwners& hosts;
};

// A plan is refused what the call itself would be refused.
Status FillPlan(Reader& reader, const v2::PlanUpdateRequest& request, const PlanSurroundings& surroundings,
                v2::PlanUpdateResponse& response);

}  // namespace baton
