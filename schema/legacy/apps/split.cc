#include "schema/legacy/apps/split.h"

#include <algorithm>
#include <map>
#include <set>

#include "orchestrator/model/names.h"
#include "orchestrator/wire/limits/limits.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/messages/routes.h"
#include "orchestrator/wire/messages/values.h"
#include "orchestrator/wire/stored/hash.h"
#include "orchestrator/wire/stored/stored.h"
#include "schema/legacy/apps/routes.h"
#include "schema/legacy/apps/tags.h"

namespace baton {
namespace {

constexpr std::int64_t kInstancesMax = 100'000;
constexpr std::int64_t kIntMax = 2'147'483'647;
constexpr std::int64_t kTagIndexMax = 4'294'967'295;
constexpr char kDesired[] = "desired_lrps";
constexpr char kActual[] = "actual_lrps";

TimePoint FromNanos(std::int64_t nanos) {
  // Downward, for times before 1970 too, as every clock of ours reads.
  return TimePoint(std::chrono::floor<Duration>(std::chrono::nanoseconds(nanos)));
}

std::string Joined(const std::vector<std::string>& faults) {
  std::string joined;
  for (const std::string& fault : faults) joined += (joined.empty() ? "" : "; ") + fault;
  return joined;
}

class Splitter {
 public:
  Splitter(const LegacyApp& app, TimePoint made_at) : app_(app), made_at_(made_at) {}

  SplitApp Take() {
    const Status status = TakeApp();
    if (!status) {
      split_.state.reset();
      split_.findings = {{LegacyFinding::Kind::kRow, kDesired, app_.guid.str(), "", status.error().message}};
      return std::move(split_);
    }
    for (const LegacyInstance& actual : app_.actuals) TakeInstance(actual);
    TellWhatIsSeenAnew();
    MarkProven();
    return std::move(split_);
  }

 private:
  Status TakeApp() {
    if (Status s = CheckRow(); !s) return s;
    auto input = wire::DefinitionFrom(DefinitionMessage());
    if (!input) return input.error();
    auto routes = TakeRoutes();
    if (!routes) return routes.error();
    CheckDrivers();

    AppState& state = split_.state.emplace();
    state.guid = app_.guid;
    Definition& definition = input->definition;
    definition.created_at = CreatedAt();
    DesiredLrp& desired = state.desired.emplace();
    desired.incarnation = kFirstIncarnation;
    desired.domain = app_.domain;
    desired.log_guid = app_.log_guid;
    desired.instances = static_cast<int>(app_.instances);
    desired.routes = *std::move(routes);
    desired.annotation = app_.annotation;
    desired.metric_tags = wire::EncodeMetricTags(Tags());
    desired.image_username = app_.run_info.image_username();
    desired.image_password = app_.run_info.image_password();
    desired.strategy = StrategyFor(definition);
    desired.active = definition.id;
    desired.created_at = CreatedAt();
    desired.tag = {app_.tag_epoch, static_cast<std::uint32_t>(app_.tag_index)};
    definition_ = {kFirstIncarnation, definition.id};
    split_.run_info = std::move(input->run_info);
    state.definitions.emplace(definition_, std::move(definition));
    return Done{};
  }

  Result<Routes> TakeRoutes() {
    auto all = wire::RoutesFrom(app_.routes, wire::RoutesOrigin::kStored);
    const bool tcp = all && std::ranges::any_of(all->mapped, [](const auto& one) { return one.route.external_port > 0; });
    TellWhatRoutesNothing(tcp);
    if (all) return all;
    const ReadableRoutes readable = KeepReadable(app_.routes);
    if (!readable.faults.empty()) Lost("routes", Joined(readable.faults));
    return wire::RoutesFrom(readable.routes, wire::RoutesOrigin::kStored);
  }

  // Such routes are stored and shown unchanged, but no router serves them.
  void TellWhatRoutesNothing(bool tcp_routes) {
    for (const auto& [router, payload] : app_.routes.routes()) {
      if (router == kHttpRouter || (tcp_routes && router == kTcpRouter)) continue;
      split_.findings.push_back({LegacyFinding::Kind::kNote, kDesired, app_.guid.str(), "routes." + router,
                                 "they are kept, and nothing in Baton routes by them"});
    }
  }

  Status CheckRow() const {
    if (Status s = wire::CheckName("process_guid", app_.guid.str()); !s) return s;
    if (app_.domain.empty()) return Error{ErrorKind::kInvalidArgument, "domain is empty"};
    if (Status s = wire::CheckText("domain", app_.domain, wire::kNameBytesMax); !s) return s;
    if (Status s = wire::CheckText("log_guid", app_.log_guid, std::string::npos - 1); !s) return s;
    if (Status s = wire::CheckText("annotation", app_.annotation, std::string::npos - 1); !s) return s;
    if (Status s = wire::CheckRange("instances", app_.instances, 0, kInstancesMax); !s) return s;
    if (Status s = wire::CheckRange("modification_tag_index", app_.tag_index, 0, kTagIndexMax); !s) return s;
    if (Status s = wire::CheckText("modification_tag_epoch", app_.tag_epoch, std::string::npos - 1); !s) return s;
    if (Status s = wire::CheckRange("update_strategy", app_.update_strategy, 0, 1); !s) return s;
    // The blob carries no mark of its row: one that was moved from another row opens, and tells so only here.
    const std::string& own = app_.run_info.desired_lrp_key().process_guid();
    if (own.empty() || own == app_.guid.str()) return Done{};
    return Error{ErrorKind::kInvalidArgument, "run_info is that of app " + wire::Shown(own)};
  }

  // What of a DesiredLRP belongs to a version of it; its name is left to be the content's hash.
  v2::LRPDefinition DefinitionMessage() const {
    v2::LRPDefinition message;
    *message.mutable_run_info() = app_.run_info;
    v1::DesiredLRPRunInfo& run = *message.mutable_run_info();
    run.clear_desired_lrp_key();
    run.clear_created_at();
    run.clear_image_username();
    run.clear_image_password();
    run.clear_metric_tags();
    v1::DesiredLRPResource& resource = *message.mutable_resource();
    resource.set_memory_mb(static_cast<std::int32_t>(app_.memory_mb));
    resource.set_disk_mb(static_cast<std::int32_t>(app_.disk_mb));
    resource.set_max_pids(static_cast<std::int32_t>(app_.max_pids));
    resource.set_root_fs(app_.root_fs);
    for (const std::string& tag : app_.placement_tags) message.add_placement_tags(tag);
    return message;
  }

  const LegacyTags& Tags() const { return app_.metric_tags ? *app_.metric_tags : app_.run_info.metric_tags(); }

  TimePoint CreatedAt() const { return app_.run_info.created_at() ? FromNanos(app_.run_info.created_at()) : made_at_; }

  // The defaults; what the API would refuse as too short a deadline for this definition is made longer.
  Strategy StrategyFor(const Definition& definition) const {
    Strategy strategy;
    if (app_.update_strategy == v1::DesiredLRP::RECREATE) strategy.mode = Mode::kRecreate;
    const Duration start = definition.start_timeout > Duration(0) ? definition.start_timeout : kDefaultStartTimeout;
    strategy.progress_deadline = std::max(
        strategy.progress_deadline, start + strategy.min_healthy_time + strategy.drain_timeout + strategy.stop_timeout);
    return strategy;
  }

  // Diego writes down which drivers the mounts need; Baton sees it from the mounts.
  void CheckDrivers() {
    std::set<std::string> mounted;
    for (const auto& mount : app_.run_info.volume_mounts()) mounted.insert(mount.driver());
    for (const std::string& driver : app_.volume_placement.driver_names()) {
      if (mounted.contains(driver)) continue;
      Lost("volume_placement", "it asks for driver " + wire::Shown(driver) + ", and no volume mount does");
    }
  }

  void Lost(const char* field, const std::string& reason) {
    split_.findings.push_back({LegacyFinding::Kind::kField, kDesired, app_.guid.str(), field, reason});
  }

  void TakeInstance(const LegacyInstance& actual) {
    const std::string name = InstanceName(app_.guid, actual.index, actual.presence);
    auto lrp = InstanceRow(actual);
    if (!lrp) {
      split_.findings.push_back({LegacyFinding::Kind::kRow, kActual, name, "", lrp.error().message});
      return;
    }
    if (actual.internal_routes && !FollowFrom(*actual.internal_routes, app_.routes)) {
      ++seen_anew_["internal_routes: they are other than the app's, which hold from now on"];
    }
    if (actual.metric_tags && !FollowFrom(*actual.metric_tags, Tags(), actual)) {
      ++seen_anew_["metric_tags: they are other than the app's give, which hold from now on"];
    }
    ActualId id = lrp->id;
    split_.state->actuals.emplace(std::move(id), *std::move(lrp));
  }

  // One line an app and field: nearly every instance has some of it.
  void TellWhatIsSeenAnew() {
    for (const auto& [what, count] : seen_anew_) {
      const std::size_t colon = what.find(": ");
      split_.findings.push_back({LegacyFinding::Kind::kNote, kActual, app_.guid.str(), what.substr(0, colon),
                                 what.substr(colon + 2) + " (instances: " + std::to_string(count) + ")"});
    }
  }

  Result<ActualLrp> InstanceRow(const LegacyInstance& actual) const {
    if (Status s = CheckInstance(actual); !s) return s.error();
    ActualLrp lrp;
    lrp.id = ActualId(NameOf(actual));
    lrp.domain = actual.domain;
    lrp.incarnation = kFirstIncarnation;
    lrp.index = static_cast<int>(actual.index);
    lrp.presence = actual.presence == v1::ActualLRP::SUSPECT      ? Presence::kSuspect
                   : actual.presence == v1::ActualLRP::EVACUATING ? Presence::kEvacuating
                                                                  : Presence::kOrdinary;
    lrp.definition = definition_.id;
    lrp.state = *ParseLrpState(actual.state);
    lrp.instance_guid = InstanceGuid(actual.instance_guid);
    lrp.cell_id = CellId(actual.cell_id);
    lrp.net_info = wire::NetInfoFrom(actual.net_info);
    lrp.zone = actual.zone;
    lrp.since = FromNanos(actual.since_ns);
    lrp.routable = lrp.state == LrpState::kRunning && actual.routable.value_or(true);
    if (lrp.routable) lrp.routable_since = lrp.since;
    if (MayRun(lrp)) lrp.claimed_at = lrp.since;
    lrp.crash_count = static_cast<int>(actual.crash_count);
    lrp.crash_reason = wire::Clean(actual.crash_reason);  // as where a cell reports them
    lrp.placement_error = wire::Clean(actual.placement_error);
    lrp.tag = {actual.tag_epoch, static_cast<std::uint32_t>(actual.tag_index)};
    return lrp;
  }

  Status CheckInstance(const LegacyInstance& actual) const {
    const auto invalid = [](const std::string& what) { return Error{ErrorKind::kInvalidArgument, what}; };
    if (Status s = wire::CheckRange("instance_index", actual.index, 0, kIntMax); !s) return s;
    if (Status s = wire::CheckRange("presence", actual.presence, 0, 2); !s) return s;
    if (Status s = wire::CheckRange("crash_count", actual.crash_count, 0, kIntMax); !s) return s;
    if (Status s = wire::CheckRange("modification_tag_index", actual.tag_index, 0, kTagIndexMax); !s) return s;
    const auto state = ParseLrpState(actual.state);
    if (!state) return invalid("there is no state " + wire::Shown(actual.state));
    const bool may_run = *state == LrpState::kClaimed || *state == LrpState::kRunning;
    if (may_run != !actual.cell_id.empty() || may_run != !actual.instance_guid.empty()) {
      return invalid("it is " + actual.state + " with cell_id " + wire::Shown(actual.cell_id) + " and instance_guid " +
                     wire::Shown(actual.instance_guid) +
                     (may_run ? ", and must have both" : ", and must have neither"));
    }
    if (actual.presence != v1::ActualLRP::ORDINARY && !may_run) {
      return invalid("it is " + actual.state + ", and only an ORDINARY one may be");
    }
    for (const auto& [field, text] : {std::pair<const char*, const std::string&>{"cell_id", actual.cell_id},
                                      {"instance_guid", actual.instance_guid},
                                      {"domain", actual.domain},
                                      {"modification_tag_epoch", actual.tag_epoch},
                                      {"availability_zone", actual.zone}}) {
      if (Status s = wire::CheckText(field, text, std::string::npos - 1); !s) return s;
    }
    return wire::CheckTexts(actual.net_info, "net_info");
  }

  // The same name each time, so that a repeated migration makes the same row: in the form of a UUID, out of its place.
  std::string NameOf(const LegacyInstance& actual) const {
    std::string hex = wire::Sha256Hex("legacy/" + InstanceName(app_.guid, actual.index, actual.presence)).substr(0, 32);
    hex[12] = '8';  // version 8, made by rules of our own
    hex[16] = "89ab"[(hex[16] <= '9' ? hex[16] - '0' : hex[16] - 'a' + 10) & 3];
    for (const std::size_t at : {20, 16, 12, 8}) hex.insert(at, "-");
    return hex;
  }

  // It is proven by an instance that runs, since the first of those there are now.
  void MarkProven() {
    std::optional<TimePoint> since;
    for (const auto& [id, lrp] : split_.state->actuals) {
      if (lrp.state == LrpState::kRunning) since = std::min(since.value_or(lrp.since), lrp.since);
    }
    if (!since) return;
    split_.state->definitions.at(definition_).proven_at = since;
    split_.state->desired->healthy = definition_.id;
  }

  const LegacyApp& app_;
  const TimePoint made_at_;
  SplitApp split_;
  DefinitionKey definition_;
  std::map<std::string, int> seen_anew_;
};

}  // namespace

std::string InstanceName(const ProcessGuid& guid, std::int64_t index, int presence) {
  const std::string name = guid.str() + "/" + std::to_string(index);
  if (presence == v1::ActualLRP::ORDINARY) return name;
  const bool known = v1::ActualLRP::Presence_IsValid(presence);
  return name + " " + (known ? v1::ActualLRP::Presence_Name(presence) : "presence " + std::to_string(presence));
}

SplitApp Split(const LegacyApp& app, TimePoint made_at) { return Splitter(app, made_at).Take(); }

}  // namespace baton
