#include "orchestrator/transform/messages/desired_lrp.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace baton::transform {
namespace {

v1::DesiredLRP::UpdateStrategy UpdateStrategyOf(v2::Strategy::Mode mode) {
  return mode == v2::Strategy::RECREATE ? v1::DesiredLRP::RECREATE : v1::DesiredLRP::ROLLING;
}

}  // namespace

const Mapping& DesiredLrpMapping() {
  static const Mapping kMapping(v1::DesiredLRP::descriptor(),
                                {v2::DesiredLRP::descriptor(), v2::LRPDefinition::descriptor(),
                                 v1::DesiredLRPResource::descriptor(), v1::DesiredLRPRunInfo::descriptor()},
                                {"update_strategy"});
  return kMapping;
}

const Mapping& UpdateMapping() {
  static const Mapping kMapping(v1::DesiredLRPUpdate::descriptor(), {v2::DesiredLRPUpdate::descriptor()},
                                {"desired_lrp", "update_identifier"});
  return kMapping;
}

const Mapping& SchedulingInfoMapping() {
  static const Mapping kMapping(v1::DesiredLRPSchedulingInfo::descriptor(),
                                {v2::DesiredLRPSchedulingInfo::descriptor()},
                                {"desired_lrp_key", "desired_lrp_resource", "volume_placement"});
  return kMapping;
}

v2::DesiredLRP ToV2(const v1::DesiredLRP& app) {
  v2::DesiredLRP made;
  v2::LRPDefinition& definition = *made.mutable_definition();
  DesiredLrpMapping().Spread(app,
                             {&made, &definition, definition.mutable_resource(), definition.mutable_run_info()});
  // ROLLING is also what is not said: the default of a new app, and in an update what the app has.
  if (app.update_strategy() == v1::DesiredLRP::RECREATE) made.mutable_strategy()->set_mode(v2::Strategy::RECREATE);
  return made;
}

v1::DesiredLRP ToV1(v2::DesiredLRP app) {
  v1::DesiredLRP made;
  v2::LRPDefinition& definition = *app.mutable_definition();
  DesiredLrpMapping().Gather({&app, &definition, definition.mutable_resource(), definition.mutable_run_info()}, made);
  made.set_update_strategy(UpdateStrategyOf(app.strategy().mode()));
  return made;
}

v2::DesireLRPRequest ToV2(const v1::DesireLRPRequest& request) {
  v2::DesireLRPRequest made;
  *made.mutable_desired_lrp() = ToV2(request.desired_lrp());
  return made;
}

v2::UpdateDesiredLRPRequest ToV2(const v1::UpdateDesiredLRPRequest& request) {
  v2::UpdateDesiredLRPRequest made;
  made.set_process_guid(request.process_guid());
  const v1::DesiredLRPUpdate& update = request.update();
  UpdateMapping().Spread(update, {made.mutable_update()});
  if (update.has_desired_lrp()) *made.mutable_update()->mutable_desired_lrp() = ToV2(update.desired_lrp());
  if (update.has_update_identifier()) made.mutable_update()->set_update_identifier(update.update_identifier());
  return made;
}

v2::RemoveDesiredLRPRequest ToV2(const v1::RemoveDesiredLRPRequest& request) {
  v2::RemoveDesiredLRPRequest made;
  made.set_process_guid(request.process_guid());
  return made;
}

v2::GetDesiredLRPRequest ToV2(const v1::DesiredLRPByProcessGuidRequest& request) {
  v2::GetDesiredLRPRequest made;
  made.set_process_guid(request.process_guid());
  made.set_reveal_secrets(true);
  return made;
}

v2::ListDesiredLRPsRequest ToV2(const v1::DesiredLRPsRequest& request) {
  v2::ListDesiredLRPsRequest made;
  made.set_domain(request.domain());
  *made.mutable_process_guids() = request.process_guids();
  made.set_reveal_secrets(true);
  return made;
}

AppGuids::AppGuids(const v1::DesiredLRPsRequest& request) {
  std::vector<std::string> all(request.app_guids().begin(), request.app_guids().end());
  std::ranges::sort(all);
  for (std::string& one : all) {
    if (beginnings_.empty() || !one.starts_with(beginnings_.back())) beginnings_.push_back(std::move(one));
  }
}

// What lies between a beginning and a guid that has it begins so, too: the last one up to the guid is it, or none is.
bool AppGuids::Has(const std::string& process_guid) const {
  if (beginnings_.empty()) return true;
  const auto after = std::ranges::upper_bound(beginnings_, process_guid);
  return after != beginnings_.begin() && process_guid.starts_with(*std::prev(after));
}

v1::DesiredLRPSchedulingInfo ToV1(v2::DesiredLRPSchedulingInfo info) {
  v1::DesiredLRPSchedulingInfo made;
  SchedulingInfoMapping().Gather({&info}, made);
  made.mutable_desired_lrp_key()->set_process_guid(info.process_guid());
  made.mutable_desired_lrp_key()->set_domain(info.domain());
  made.mutable_desired_lrp_key()->set_log_guid(info.log_guid());
  if (info.has_resource()) made.mutable_desired_lrp_resource()->Swap(info.mutable_resource());
  for (const auto& driver : info.volume_drivers()) made.mutable_volume_placement()->add_driver_names(driver);
  return made;
}

v1::DesiredLRPSchedulingInfo SchedulingInfo(const v2::DesiredLRP& app) {
  v2::DesiredLRPSchedulingInfo info;
  info.set_process_guid(app.process_guid());
  info.set_domain(app.domain());
  info.set_log_guid(app.log_guid());
  info.set_instances(app.instances());
  info.set_annotation(app.annotation());
  *info.mutable_routes() = app.routes();
  *info.mutable_modification_tag() = app.modification_tag();
  *info.mutable_resource() = app.definition().resource();
  *info.mutable_placement_tags() = app.definition().placement_tags();
  for (const auto& mount : app.definition().run_info().volume_mounts()) {
    if (std::ranges::find(info.volume_drivers(), mount.driver()) == info.volume_drivers().end()) {
      info.add_volume_drivers(mount.driver());
    }
  }
  return ToV1(std::move(info));
}

v1::DesiredLRP RoutingInfo(const v2::DesiredLRPSchedulingInfo& info) {
  v1::DesiredLRP made;
  made.set_process_guid(info.process_guid());
  made.set_domain(info.domain());
  made.set_log_guid(info.log_guid());
  made.set_instances(info.instances());
  *made.mutable_routes() = info.routes();
  for (const auto& [name, value] : info.metric_tags()) (*made.mutable_metric_tags())[name] = value;
  *made.mutable_modification_tag() = info.modification_tag();
  return made;
}

}  // namespace baton::transform
