// Instances: of what plays five parts in baton.v2's slots, baton.v1 knows three.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "baton/v1/requests.pb.h"
#include "baton/v2/actual_lrps_service.pb.h"
#include "orchestrator/base/result.h"
#include "orchestrator/transform/messages/mapping.h"

namespace baton::transform {

v2::ListActualLRPsRequest ToV2(const v1::ActualLRPsRequest& request);
v2::ListActualLRPsRequest ToV2(const v1::ActualLRPsByProcessGuidsRequest& request);
v2::ListActualLRPsRequest ToV2(const v1::ActualLRPGroupsRequest& request);
v2::ListActualLRPsRequest ToV2(const v1::ActualLRPGroupsByProcessGuidRequest& request);
v2::ListActualLRPsRequest ToV2(const v1::ActualLRPGroupByProcessGuidAndIndexRequest& request);
v2::ClaimActualLRPRequest ToV2(const v1::ClaimActualLRPRequest& request);
v2::StartActualLRPRequest ToV2(const v1::StartActualLRPRequest& request);
v2::CrashActualLRPRequest ToV2(const v1::CrashActualLRPRequest& request);
v2::FailActualLRPRequest ToV2(const v1::FailActualLRPRequest& request);
v2::RemoveActualLRPRequest ToV2(const v1::RemoveActualLRPRequest& request);
v2::RetireInstancesRequest ToV2(const v1::RetireActualLRPRequest& request);

// INVALID_ARGUMENT where no app is named, or a slot that there cannot be: to v2 that would be all of them.
Status CheckApp(const std::string& process_guid);
Status CheckSlot(const std::string& process_guid, int index);

// Nothing for what is to take a slot over and has not yet. What was handed over or withdrawn is EVACUATING.
std::optional<v1::ActualLRP> ToV1(v2::ActualLRP lrp);

// Rows in the order of baton.v2's lists, an app's one behind the other, become groups: one for each slot.
class Groups {
 public:
  // Those of apps that are whole now.
  std::vector<v1::ActualLRPGroup> Take(v2::ListActualLRPsResponse& page);
  // The last app's.
  std::vector<v1::ActualLRPGroup> End();

 private:
  std::string app_;
  std::map<int, v1::ActualLRPGroup> slots_;
};

const Mapping& ActualLrpMapping();

}  // namespace baton::transform
