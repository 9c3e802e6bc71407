// Requests of the API, checked and turned into what the use cases take.
#pragma once

#include "baton/v1/actual_lrp.pb.h"
#include "baton/v2/desired_lrps_service.pb.h"
#include "orchestrator/app/apps/update.h"
#include "orchestrator/base/result.h"

namespace baton {

// Held to the limits of the .proto files and to the rules between fields (wire/limits/field_limits.h) in all three
// forms alike. Nothing that is stored is read through these.
Result<DesireRequest> DesireFrom(const v2::DesireLRPRequest& message);
Result<UpdateRequest> UpdateFrom(const v2::UpdateDesiredLRPRequest& message);
// Every unversioned field becomes what is given.
Result<UpdateRequest> ReplaceFrom(const v2::ReplaceDesiredLRPRequest& message);

// What a plan's token is of, beside the app: its plan_token and idempotency_key do not count.
std::string PlanContent(v2::UpdateDesiredLRPRequest message);
std::string PlanContent(v2::ReplaceDesiredLRPRequest message);

// Where an instance answers: an address, and ports of 1 to 65535.
Status CheckNetInfo(const v1::ActualLRPNetInfo& info);

}  // namespace baton
