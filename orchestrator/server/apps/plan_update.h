// PlanUpdate: what an update would do, and the token by which it is done only if nothing has changed since.
// PlanRollBack and PlanCancel: the same of a way back. ForecastRoll: of an open roll that is left to itself.
#pragma once

#include "baton/v2/desired_lrps_service.pb.h"
#include "baton/v2/rolls_service.pb.h"
#include "orchestrator/app/apps/forecast.h"
#include "orchestrator/ports/reader.h"
#include "orchestrator/server/apps/verdict_hosts.h"
#include "orchestrator/server/callers/grant.h"

namespace baton {

// What a plan asks beside the rows.
struct PlanInputs {
  std::vector<CellOffer> cells;  // count for nothing where only the changes are asked for
  MayAskVerdict may_ask_verdict;
  Grant grant;
  const HostOwners& hosts;
};

// A plan is refused what the call itself would be refused.
Status FillPlan(Reader& reader, const v2::PlanUpdateRequest& request, const PlanInputs& dependencies,
                v2::PlanUpdateResponse& response);
Status FillPlan(Reader& reader, const v2::PlanRollBackRequest& request, const PlanInputs& dependencies,
                v2::PlanUpdateResponse& response);
Status FillPlan(Reader& reader, const v2::PlanCancelRequest& request, const PlanInputs& dependencies,
                v2::PlanUpdateResponse& response);
Status FillPlan(Reader& reader, const v2::ForecastRollRequest& request, const PlanInputs& dependencies,
                v2::PlanUpdateResponse& response);

}  // namespace baton
