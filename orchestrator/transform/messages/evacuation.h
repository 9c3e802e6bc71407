// Calls of a cell that drains, of baton.v1.
#pragma once

#include "baton/v1/requests.pb.h"
#include "baton/v2/actual_lrps_service.pb.h"

namespace baton::transform {

v2::EvacuateActualLRPRequest ToV2(const v1::EvacuateClaimedActualLRPRequest& request);
v2::EvacuateActualLRPRequest ToV2(const v1::EvacuateRunningActualLRPRequest& request);
v2::RemoveActualLRPRequest ToV2(const v1::EvacuateStoppedActualLRPRequest& request);
v2::CrashActualLRPRequest ToV2(const v1::EvacuateCrashedActualLRPRequest& request);
v2::RemoveActualLRPRequest ToV2(const v1::RemoveEvacuatingActualLRPRequest& request);

}  // namespace baton::transform
