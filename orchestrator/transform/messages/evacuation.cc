#include "orchestrator/transform/messages/evacuation.h"

namespace baton::transform {
namespace {

// What all of these calls say: which start of which slot.
template <class New, class Old>
New Named(const Old& request) {
  New made;
  made.mutable_slot()->set_process_guid(request.actual_lrp_key().process_guid());
  made.mutable_slot()->set_index(request.actual_lrp_key().index());
  *made.mutable_instance_key() = request.actual_lrp_instance_key();
  return made;
}

}  // namespace

v2::EvacuateActualLRPRequest ToV2(const v1::EvacuateClaimedActualLRPRequest& request) {
  return Named<v2::EvacuateActualLRPRequest>(request);
}

v2::EvacuateActualLRPRequest ToV2(const v1::EvacuateRunningActualLRPRequest& request) {
  return Named<v2::EvacuateActualLRPRequest>(request);
}

v2::RemoveActualLRPRequest ToV2(const v1::EvacuateStoppedActualLRPRequest& request) {
  return Named<v2::RemoveActualLRPRequest>(request);
}

v2::CrashActualLRPRequest ToV2(const v1::EvacuateCrashedActualLRPRequest& request) {
  auto made = Named<v2::CrashActualLRPRequest>(request);
  made.set_crash_reason(request.error_message());
  return made;
}

v2::RemoveActualLRPRequest ToV2(const v1::RemoveEvacuatingActualLRPRequest& request) {
  auto made = Named<v2::RemoveActualLRPRequest>(request);
  made.set_only_leaving(true);
  return made;
}

}  // namespace baton::transform
