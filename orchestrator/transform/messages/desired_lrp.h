// Apps: one definition each in baton.v1, any number in baton.v2.
#pragma once

#include <string>
#include <vector>

#include "baton/v1/desired_lrp.pb.h"
#include "baton/v1/requests.pb.h"
#include "baton/v2/desired_lrps_service.pb.h"
#include "orchestrator/transform/messages/mapping.h"

namespace baton::transform {

// To baton.v2.
v2::DesiredLRP ToV2(const v1::DesiredLRP& app);
v2::DesireLRPRequest ToV2(const v1::DesireLRPRequest& request);
v2::UpdateDesiredLRPRequest ToV2(const v1::UpdateDesiredLRPRequest& request);
v2::RemoveDesiredLRPRequest ToV2(const v1::RemoveDesiredLRPRequest& request);
v2::GetDesiredLRPRequest ToV2(const v1::DesiredLRPByProcessGuidRequest& request);
// `app_guids` has no counterpart: AppGuids looks at each answer.
v2::ListDesiredLRPsRequest ToV2(const v1::DesiredLRPsRequest& request);

// Apps are asked for by how their guids begin: any number of beginnings.
class AppGuids {
 public:
  explicit AppGuids(const v1::DesiredLRPsRequest& request);
  // True where none are named.
  bool Has(const std::string& process_guid) const;

 private:
  std::vector<std::string> beginnings_;  // sorted; none is the beginning of another
};

// To baton.v1: what the active definition says.
v1::DesiredLRP ToV1(v2::DesiredLRP app);
v1::DesiredLRPSchedulingInfo ToV1(v2::DesiredLRPSchedulingInfo info);
v1::DesiredLRPSchedulingInfo SchedulingInfo(const v2::DesiredLRP& app);
// What routers need of an app (Diego's routing info).
v1::DesiredLRP RoutingInfo(const v2::DesiredLRPSchedulingInfo& info);

// For the test that walks all of them.
const Mapping& DesiredLrpMapping();
const Mapping& UpdateMapping();
const Mapping& SchedulingInfoMapping();

}  // namespace baton::transform
