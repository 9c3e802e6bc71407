#include "orchestrator/transform/messages/actual_lrp.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace baton::transform {
namespace {

// Which of two records in one place of a group is shown: of those that evacuate the last that began to; of an ordinary
// and a suspect one the ordinary one, if it runs (Diego).
bool Before(const v1::ActualLRP& lrp, const v1::ActualLRP& other) {
  if (lrp.presence() == v1::ActualLRP::EVACUATING) return lrp.since() >= other.since();
  return lrp.presence() == v1::ActualLRP::ORDINARY ? lrp.state() == "RUNNING" : other.state() != "RUNNING";
}

v2::SlotRef SlotOf(const v1::ActualLRPKey& key) {
  v2::SlotRef slot;
  slot.set_process_guid(key.process_guid());
  slot.set_index(key.index());
  return slot;
}

}  // namespace

const Mapping& ActualLrpMapping() {
  static const Mapping kMapping(v1::ActualLRP::descriptor(), {v2::ActualLRP::descriptor()},
                                {"actual_lrp_key", "actual_lrp_instance_key", "actual_lrp_net_info", "presence",
                                 "routable"});
  return kMapping;
}

v2::ListActualLRPsRequest ToV2(const v1::ActualLRPsRequest& request) {
  v2::ListActualLRPsRequest made;
  made.set_process_guid(request.process_guid());
  made.set_domain(request.domain());
  made.set_cell_id(request.cell_id());
  if (request.has_index()) made.set_index(request.index());
  return made;
}

v2::ListActualLRPsRequest ToV2(const v1::ActualLRPsByProcessGuidsRequest& request) {
  v2::ListActualLRPsRequest made;
  *made.mutable_process_guids() = request.process_guids();
  return made;
}

v2::ListActualLRPsRequest ToV2(const v1::ActualLRPGroupsRequest& request) {
  v2::ListActualLRPsRequest made;
  made.set_domain(request.domain());
  made.set_cell_id(request.cell_id());
  return made;
}

v2::ListActualLRPsRequest ToV2(const v1::ActualLRPGroupsByProcessGuidRequest& request) {
  v2::ListActualLRPsRequest made;
  made.set_process_guid(request.process_guid());
  return made;
}

v2::ListActualLRPsRequest ToV2(const v1::ActualLRPGroupByProcessGuidAndIndexRequest& request) {
  v2::ListActualLRPsRequest made;
  made.set_process_guid(request.process_guid());
  made.set_index(request.index());
  return made;
}

v2::ClaimActualLRPRequest ToV2(const v1::ClaimActualLRPRequest& request) {
  v2::ClaimActualLRPRequest made;
  made.mutable_slot()->set_process_guid(request.process_guid());
  made.mutable_slot()->set_index(request.index());
  *made.mutable_instance_key() = request.actual_lrp_instance_key();
  return made;
}

v2::StartActualLRPRequest ToV2(const v1::StartActualLRPRequest& request) {
  v2::StartActualLRPRequest made;
  *made.mutable_slot() = SlotOf(request.actual_lrp_key());
  *made.mutable_instance_key() = request.actual_lrp_instance_key();
  *made.mutable_net_info() = request.actual_lrp_net_info();
  made.set_routable(!request.has_routable() || request.routable());  // Diego's older cells do not say
  made.set_availability_zone(request.availability_zone());
  *made.mutable_actual_lrp_internal_routes() = request.actual_lrp_internal_routes();
  *made.mutable_metric_tags() = request.metric_tags();
  return made;
}

v2::CrashActualLRPRequest ToV2(const v1::CrashActualLRPRequest& request) {
  v2::CrashActualLRPRequest made;
  *made.mutable_slot() = SlotOf(request.actual_lrp_key());
  *made.mutable_instance_key() = request.actual_lrp_instance_key();
  made.set_crash_reason(request.error_message());
  return made;
}

v2::FailActualLRPRequest ToV2(const v1::FailActualLRPRequest& request) {
  v2::FailActualLRPRequest made;
  *made.mutable_slot() = SlotOf(request.actual_lrp_key());
  made.set_placement_error(request.error_message());
  return made;
}

v2::RemoveActualLRPRequest ToV2(const v1::RemoveActualLRPRequest& request) {
  v2::RemoveActualLRPRequest made;
  made.mutable_slot()->set_process_guid(request.process_guid());
  made.mutable_slot()->set_index(request.index());
  if (request.has_actual_lrp_instance_key()) *made.mutable_instance_key() = request.actual_lrp_instance_key();
  return made;
}

v2::RetireInstancesRequest ToV2(const v1::RetireActualLRPRequest& request) {
  v2::RetireInstancesRequest made;
  made.set_process_guid(request.actual_lrp_key().process_guid());
  made.set_index(request.actual_lrp_key().index());
  return made;
}

Status CheckApp(const std::string& process_guid) {
  if (!process_guid.empty()) return Done{};
  return Error{ErrorKind::kInvalidArgument, "process_guid is empty", {}};
}

Status CheckSlot(const std::string& process_guid, int index) {
  if (index >= 0) return CheckApp(process_guid);
  return Error{ErrorKind::kInvalidArgument, "index is " + std::to_string(index) + "; it takes 0 and more", {}};
}

std::optional<v1::ActualLRP> ToV1(v2::ActualLRP lrp) {
  v1::ActualLRP made;
  switch (lrp.presence()) {
    case v2::ORDINARY: made.set_presence(v1::ActualLRP::ORDINARY); break;
    case v2::SUSPECT: made.set_presence(v1::ActualLRP::SUSPECT); break;
    case v2::EVACUATING:
    case v2::RETIRING: made.set_presence(v1::ActualLRP::EVACUATING); break;
    default: return std::nullopt;
  }
  ActualLrpMapping().Gather({&lrp}, made);
  made.mutable_actual_lrp_key()->set_process_guid(lrp.process_guid());
  made.mutable_actual_lrp_key()->set_index(lrp.index());
  made.mutable_actual_lrp_key()->set_domain(lrp.domain());
  if (lrp.has_instance_key()) made.mutable_actual_lrp_instance_key()->Swap(lrp.mutable_instance_key());
  if (lrp.has_net_info()) made.mutable_actual_lrp_net_info()->Swap(lrp.mutable_net_info());
  made.set_routable(lrp.routable());
  return made;
}

std::vector<v1::ActualLRPGroup> Groups::Take(v2::ListActualLRPsResponse& page) {
  std::vector<v1::ActualLRPGroup> whole;
  for (v2::ActualLRP& row : *page.mutable_actual_lrps()) {
    auto lrp = ToV1(std::move(row));
    if (!lrp) continue;
    const v1::ActualLRPKey& key = lrp->actual_lrp_key();
    if (key.process_guid() != app_) {
      std::ranges::move(End(), std::back_inserter(whole));
      app_ = key.process_guid();
    }
    v1::ActualLRPGroup& group = slots_[key.index()];
    const bool evacuates = lrp->presence() == v1::ActualLRP::EVACUATING;
    const bool empty = evacuates ? !group.has_evacuating() : !group.has_instance();
    v1::ActualLRP& place = evacuates ? *group.mutable_evacuating() : *group.mutable_instance();
    if (empty || Before(*lrp, place)) place = *std::move(lrp);
  }
  return whole;
}

std::vector<v1::ActualLRPGroup> Groups::End() {
  std::vector<v1::ActualLRPGroup> whole;
  for (auto& [index, group] : slots_) whole.push_back(std::move(group));
  slots_.clear();
  return whole;
}

}  // namespace baton::transform
