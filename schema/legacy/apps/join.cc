#include "schema/legacy/apps/join.h"

#include <set>
#include <tuple>

#include "orchestrator/base/check.h"
#include "orchestrator/model/names.h"
#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/messages/routes.h"
#include "orchestrator/wire/messages/values.h"
#include "orchestrator/wire/stored/stored.h"

namespace baton {
namespace {

// Split takes 0 for "unknown"; an app that was desired in 1970's first microsecond stays so.
std::int64_t CreatedAt(TimePoint at) { return Micros(at) == 0 ? 1 : wire::Nanos(at); }

void SetApp(v1::DesiredLRPRunInfo& run, const ProcessGuid& guid, const DesiredLrp& desired) {
  run.mutable_desired_lrp_key()->set_process_guid(guid.str());
  run.mutable_desired_lrp_key()->set_domain(desired.domain);
  run.mutable_desired_lrp_key()->set_log_guid(desired.log_guid);
  run.set_created_at(CreatedAt(desired.created_at));
  run.set_image_username(desired.image_username);
  run.set_image_password(desired.image_password);
}

v1::VolumePlacement PlacementFor(const v1::DesiredLRPRunInfo& run) {
  std::set<std::string> drivers;
  for (const auto& mount : run.volume_mounts()) drivers.insert(mount.driver());
  v1::VolumePlacement placement;
  for (const std::string& driver : drivers) placement.add_driver_names(driver);
  return placement;
}

bool GoesBefore(const ActualLrp& one, const ActualLrp& other) {
  const bool evacuates = one.presence == Presence::kEvacuating;
  if (evacuates != (other.presence == Presence::kEvacuating)) return evacuates;
  return std::tie(one.since, one.id) > std::tie(other.since, other.id);
}

}  // namespace

std::optional<int> LegacyPresence(const ActualLrp& lrp) {
  switch (lrp.presence) {
    case Presence::kOrdinary: return v1::ActualLRP::ORDINARY;
    case Presence::kSurge: return std::nullopt;
    case Presence::kSuspect: return v1::ActualLRP::SUSPECT;
    case Presence::kEvacuating:
    case Presence::kRetiring: return v1::ActualLRP::EVACUATING;
  }
  CHECK(false);
}

std::map<LegacyPlace, const ActualLrp*> PlacesOf(const AppState& state) {
  std::map<LegacyPlace, const ActualLrp*> places;
  if (!state.desired) return places;
  for (const auto& [id, lrp] : state.actuals) {
    const auto presence = LegacyPresence(lrp);
    if (!presence || lrp.incarnation != state.desired->incarnation) continue;
    const ActualLrp*& shown = places[{lrp.index, *presence}];
    if (!shown || GoesBefore(lrp, *shown)) shown = &lrp;
  }
  return places;
}

LegacyInstance JoinInstance(const ActualLrp& lrp, int presence) {
  LegacyInstance made;
  made.index = lrp.index;
  made.presence = presence;
  made.domain = lrp.domain;
  made.state = Name(lrp.state);
  made.instance_guid = lrp.instance_guid.str();
  made.cell_id = lrp.cell_id.str();
  made.placement_error = lrp.placement_error;
  made.since_ns = wire::Nanos(lrp.since);
  made.net_info = wire::ToMessage(lrp.net_info);
  made.crash_count = lrp.crash_count;
  made.crash_reason = lrp.crash_reason;
  made.tag_epoch = lrp.tag.epoch;
  made.tag_index = lrp.tag.index;
  made.routable = lrp.routable;
  made.zone = lrp.zone;
  return made;
}

Result<LegacyApp> JoinApp(const AppState& state, const std::string& run_info) {
  CHECK(state.desired);
  const DesiredLrp& desired = *state.desired;
  const Definition& definition = state.definitions.at({desired.incarnation, desired.active});
  auto message = wire::ToMessage(definition, run_info);
  if (!message) return message.error();
  LegacyApp app;
  app.guid = state.guid;
  app.domain = desired.domain;
  app.log_guid = desired.log_guid;
  app.annotation = desired.annotation;
  app.instances = desired.instances;
  app.memory_mb = definition.resources.memory_mb;
  app.disk_mb = definition.resources.disk_mb;
  app.max_pids = definition.resources.pids;
  app.root_fs = definition.root_fs;
  app.routes = wire::ToMessage(desired.routes);
  app.placement_tags = definition.placement_tags;
  app.tag_epoch = desired.tag.epoch;
  app.tag_index = desired.tag.index;
  app.run_info = std::move(*message->mutable_run_info());
  app.volume_placement = PlacementFor(app.run_info);
  SetApp(app.run_info, state.guid, desired);
  app.metric_tags = wire::MetricTagsFrom(desired.metric_tags).tags();
  if (desired.strategy.mode == Mode::kRecreate) app.update_strategy = v1::DesiredLRP::RECREATE;
  return app;
}

Result<LegacyApp> Join(const AppState& state, const std::string& run_info) {
  auto app = JoinApp(state, run_info);
  if (!app) return app;
  for (const auto& [place, lrp] : PlacesOf(state)) app->actuals.push_back(JoinInstance(*lrp, place.second));
  return app;
}

}  // namespace baton
