// Who calls which version of the API, as GetApiUsage answers it.
#pragma once

#include "baton/v2/admin_service.pb.h"
#include "orchestrator/app/calls/api_usage.h"
#include "orchestrator/server/serving/api_versions.h"

namespace baton {

// INVALID_ARGUMENT for a version that is not served.
Status Check(const v2::GetApiUsageRequest& request);
v2::GetApiUsageResponse AnswerTo(const v2::GetApiUsageRequest& request, const ApiUsage::Report& report);

}  // namespace baton
