#include "sql/read/app_reader.h"

#include <algorithm>
#include <iterator>

#include "orchestrator/model/names.h"
#include "orchestrator/ports/reader.h"
#include "orchestrator/wire/stored/stored.h"
#include "sql/read/actuals_reader.h"
#include "sql/session/columns.h"
#include "sql/session/row_values.h"

namespace baton {
namespace {

ArrayParam Names(const std::vector<ProcessGuid>& guids) {
  ArrayParam array;
  for (const ProcessGuid& guid : guids) array.Text(guid.str());
  return array;
}

// Before those of actuals: StepsOf's of whole apps.
constexpr std::size_t kBeforeActuals = 4;

std::size_t ReadsOfActuals(const AppLoad& load) { return (load.HasUnknown() ? 1 : 0) + (load.HasKnown() ? 1 : 0); }

std::size_t InstancesAt(const AppLoad& load) { return load.apps.empty() ? 0 : kBeforeActuals + ReadsOfActuals(load); }

// Instances that no app wants, and whose removal has not begun.
bool HasOrphans(const AppState& app) {
  return !app.desired && std::ranges::any_of(app.actuals, [](const auto& entry) {
    return entry.second.presence != Presence::kRetiring;
  });
}

// A row that references a missing definition. Foreign keys prevent that, until one is dropped and then a row is
// deleted.
struct LostReference {
  std::string row;
  DefinitionKey key;
};

std::vector<LostReference> LostReferences(const AppState& app) {
  std::vector<LostReference> lost;
  const auto look = [&](const std::string& row, std::int64_t incarnation, const DefinitionId& id) {
    if (!app.definitions.contains({incarnation, id})) lost.push_back({row, {incarnation, id}});
  };
  const auto look_if_named = [&](const std::string& row, std::int64_t incarnation, const DefinitionId& id) {
    if (!id.empty()) look(row, incarnation, id);
  };
  if (app.desired) {
    const std::string row = "desired_lrps " + app.guid.str();
    look(row, app.desired->incarnation, app.desired->active);
    look_if_named(row, app.desired->incarnation, app.desired->healthy);
  }
  if (app.roll) {
    const std::string row = "rolls " + app.roll->id.str();
    look(row, app.roll->incarnation, app.roll->target);
    look_if_named(row, app.roll->incarnation, app.roll->source);
  }
  const ActualLrp* found = nullptr;  // of many instances, most are of the definition that the one before is of
  const auto look_at = [&](const ActualLrp& lrp) {
    if (found && found->incarnation == lrp.incarnation && found->definition == lrp.definition) return;
    if (app.definitions.contains({lrp.incarnation, lrp.definition})) {
      found = &lrp;
    } else {
      look("actual_lrps " + lrp.id.str(), lrp.incarnation, lrp.definition);
    }
  };
  EachInNoQuietSlot(app, look_at);
  for (const auto& [id, slots] : app.quiet.by_definition()) {
    look_at(app.actuals.at(app.quiet.seats().at(*slots.begin()).id));
  }
  return lost;
}

// Marks the app as broken, or (`mend`) lists its lost references for the call that repairs it.
void TakeLost(const AppState& app, bool mend, LoadedApps& loaded) {
  for (const LostReference& one : LostReferences(app)) {
    if (mend && !one.key.id.empty()) {
      loaded.mended[app.guid].lost.insert(one.key);
    } else {
      loaded.broken.emplace(app.guid, Error{ErrorKind::kDataLoss, one.row + " names definition " + one.key.id.str() +
                                                                      ", which is not there"});
    }
  }
}

void LoadDesired(const Cipher& cipher, const Rows& rows, LoadedApps& loaded, bool locked, bool mend) {
  for (const auto row : rows) {
    const ProcessGuid guid(row.Text("process_guid"));
    bool mended = false;
    auto desired = ReadDesired(row, cipher, mend ? &mended : nullptr);
    if (mended) loaded.mended[guid].desired = true;
    if (locked) loaded.read_at[guid] = {row.Text("horizon"), row.Text("server")};
    desired ? void(loaded.apps.at(guid).desired = *std::move(desired)) : void(loaded.broken.emplace(guid, desired.error()));
  }
}

void LoadDefinitions(const Rows& rows, LoadedApps& loaded) {
  for (const auto row : rows) {
    Definition definition = ReadDefinition(row);
    const DefinitionKey key{row.Int("incarnation"), definition.id};
    loaded.apps[ProcessGuid(row.Text("process_guid"))].definitions.emplace(key, std::move(definition));
  }
}

// Whether what is known of the slots still holds: they are put into the app then.
bool TakeKnownLogs(const AppLoad& load, AppState& app) {
  if (!load.IsKnown(app.guid)) return false;
  KnownApp& known = load.known->at(app.guid);
  if (!known.logs.AreOf(*app.roll)) {
    known.quiet.Forget();
    return false;
  }
  app.slot_logs = std::move(known.logs.slots);
  return true;
}

void LoadRolls(Session& session, const AppLoad& load, const Rows& rolls, const Rows& past_rolls, LoadedApps& loaded) {
  Columns open(3);
  for (const auto row : rolls) {
    const ProcessGuid guid(row.Text("process_guid"));
    bool mended = false;
    auto roll = ReadRoll(row, session.cipher(), load.mend ? &mended : nullptr);
    if (mended) loaded.mended[guid].roll = true;
    if (!roll) {
      loaded.broken.emplace(guid, roll.error());
      continue;
    }
    AppState& app = loaded.apps.at(guid);
    app.roll = *std::move(roll);
    if (!TakeKnownLogs(load, app)) open.Row().Text(guid.str()).Text(app.roll->id.str()).Int(app.roll->counted_from);
  }
  for (const auto row : open.RunIfAny(session, "ReadSlotLogs")) {
    SlotLog& log = loaded.apps.at(ProcessGuid(row.Text("guid"))).slot_logs[static_cast<int>(row.Int("instance_index"))];
    log.failed_attempts = static_cast<int>(row.Int("failed_attempts"));
    log.last_failure_at = row.OptionalTime("last_failure_at");
    log.handed_over = row.Bool("handed_over");
    log.late_failures = static_cast<int>(row.Int("late_failures"));
    if (log.failed_attempts == 0) continue;
    const std::string key = row.Text("roll_id") + "/" + row.Text("last_failure_sequence");
    auto words = session.cipher().Open({"roll_steps", "text", key}, row.Bytes("last_failure"));
    log.last_failure = words ? *std::move(words) : words.error().message;
  }
  for (const auto row : past_rolls) {
    PastRoll past;
    past.id = RollId(row.Text("roll_id"));
    past.target = DefinitionId(row.Text("target_definition"));
    past.state = ParseRollState(row.Text("state")).value_or(RollState::kYielded);
    past.refused = row.Bool("refused");
    past.finished_at = row.Time("finished_at");
    loaded.apps.at(ProcessGuid(row.Text("process_guid"))).past_rolls.push_back(past);
  }
}

}  // namespace

Result<DesiredLrp> ReadDesired(const Rows::Row& row, const Cipher& cipher, bool* mended) {
  DesiredLrp d;
  Blobs blobs(cipher, "desired_lrps", row.Text("process_guid"));
  d.incarnation = row.Int("incarnation");
  d.domain = row.Text("domain");
  d.log_guid = row.Text("log_guid");
  d.instances = static_cast<int>(row.Int("instances"));
  blobs.Take("routes", wire::DecodeRoutes(blobs.Open(row, "routes")), d.routes);
  d.annotation = blobs.Text(row, "annotation");
  blobs.Take("metric_tags", wire::DecodeMetricTags(blobs.Open(row, "metric_tags")), d.metric_tags);
  wire::Credentials credentials;
  blobs.Take("credentials", wire::DecodeCredentials(blobs.Open(row, "credentials")), credentials);
  d.image_username = credentials.username;
  d.image_password = credentials.password;
  blobs.Take("strategy", wire::DecodeStrategy(blobs.Open(row, "strategy")), d.strategy);
  d.active = DefinitionId(row.Text("active_definition"));
  d.healthy = DefinitionId(row.TextOrEmpty("healthy_definition"));
  d.created_at = row.Time("created_at");
  d.tag = {row.Text("modification_tag_epoch"), static_cast<std::uint32_t>(row.Int("modification_tag_index"))};
  if (!row.IsNull("definition_history")) d.definition_history = static_cast<int>(row.Int("definition_history"));
  if (mended) {
    *mended = blobs.first().has_value();
  } else if (blobs.first()) {
    return *blobs.first();
  }
  return d;
}

Result<DesiredRead> ReadSchedulingInfo(const Rows::Row& row, const Cipher& cipher) {
  DesiredRead read{.guid = ProcessGuid(row.Text("process_guid")), .desired = {}, .active = {}, .run_info = {}, .open_roll = {}};
  DesiredLrp& d = read.desired;
  Blobs blobs(cipher, "desired_lrps", row.Text("process_guid"));
  d.domain = row.Text("domain");
  d.log_guid = row.Text("log_guid");
  d.instances = static_cast<int>(row.Int("instances"));
  blobs.Take("routes", wire::DecodePayloads(blobs.Open(row, "routes")), d.routes.payloads);
  d.annotation = blobs.Text(row, "annotation");
  blobs.Take("metric_tags", wire::DecodeMetricTags(blobs.Open(row, "metric_tags")), d.metric_tags);
  d.active = DefinitionId(row.Text("active_definition"));
  d.tag = {row.Text("modification_tag_epoch"), static_cast<std::uint32_t>(row.Int("modification_tag_index"))};
  Definition& f = read.active;
  f.content_hash = row.Text("content_hash");
  f.resources = {row.Int("memory_mb"), row.Int("disk_mb"), row.Int("max_pids"), 1};
  f.root_fs = row.Text("root_fs");
  f.ports = PortNumbers(row.Array("ports"));
  f.placement_tags = row.Array("placement_tags");
  f.needs = row.Array("needs");
  if (blobs.first()) return *blobs.first();
  return read;
}

Definition ReadDefinition(const Rows::Row& row) {
  Definition d;
  d.id = DefinitionId(row.Text("definition_identifier"));
  d.content_hash = row.Text("content_hash");
  d.resources = {row.Int("memory_mb"), row.Int("disk_mb"), row.Int("max_pids"), 1};
  d.root_fs = row.Text("root_fs");
  d.ports = PortNumbers(row.Array("ports"));
  d.placement_tags = row.Array("placement_tags");
  d.needs = row.Array("needs");
  d.start_timeout = milliseconds(row.Int("start_timeout_ms"));
  d.created_at = row.Time("created_at");
  d.proven_at = row.OptionalTime("proven_at");
  d.pinned = row.Bool("pinned");
  d.port_aliases = PortAliases(row.Array("port_aliases"));
  return d;
}

Result<Roll> ReadRoll(const Rows::Row& row, const Cipher& cipher, bool* mended) {
  Roll r;
  r.incarnation = row.Int("incarnation");
  r.id = RollId(row.Text("roll_id"));
  r.source = DefinitionId(row.TextOrEmpty("source_definition"));
  r.target = DefinitionId(row.Text("target_definition"));
  const auto state = ParseRollState(row.Text("state"));
  if (!state) return Error{ErrorKind::kDataLoss, "rolls " + r.id.str() + ": there is no state '" + row.Text("state") + "'"};
  r.state = *state;
  Blobs blobs(cipher, "rolls", row.Text("process_guid") + "/" + row.Text("incarnation"));
  r.reason = blobs.Shown(row, "reason");
  r.revision = row.Int("revision");
  r.opened_at = row.Time("opened_at");
  r.deadline = row.Time("deadline");
  r.clock_stopped_at = row.OptionalTime("clock_stopped_at");
  r.waiting_since = row.OptionalTime("waiting_since");
  r.proved_at = row.OptionalTime("proved_at");
  r.last_hand_over_at = row.OptionalTime("last_hand_over_at");
  r.counted_from = row.Int("counted_from");
  r.refused = row.Bool("refused");
  r.actor = row.Text("actor");
  r.paused_by_hand = row.Bool("paused_by_hand");
  r.stage_since = row.OptionalTime("stage_since");
  r.stages_done = static_cast<int>(row.Int("stages_done"));
  r.verdict = blobs.Shown(row, "verdict");
  r.condemned = blobs.Shown(row, "condemned");
  r.waited = milliseconds(row.Int("waited_ms"));
  r.waits_from = row.OptionalTime("waits_from");
  blobs.Take("strategy", wire::DecodeStrategy(blobs.Open(row, "strategy")), r.strategy);
  if (mended) {
    *mended = blobs.first().has_value();
  } else if (blobs.first()) {
    return *blobs.first();
  }
  return r;
}

std::vector<Session::Step> StepsOf(const AppLoad& load) {
  std::vector<Session::Step> steps;
  if (!load.apps.empty()) {
    const std::string guids = Names(load.apps).str();
    const bool lock = load.lock != AppLoad::Lock::kNothing;
    steps = {{lock ? "LockDesired" : "ReadDesired", {guids}},
             {lock ? "LockRolls" : "ReadRolls", {guids}},
             {"ReadPastRolls", {guids, std::to_string(kPastRollsMax)}},
             {"ReadDefinitions", {guids}}};
    std::ranges::move(StepsOfActuals(load), std::back_inserter(steps));
  }
  if (!load.instances.empty()) {
    ArrayParam ids;
    for (const ActualId& id : load.instances) ids.Text(id.str());
    steps.push_back({"LockInstances", {ids.str()}});
  }
  if (!load.with_definition.empty()) {
    ArrayParam ids;
    for (const ActualId& id : load.with_definition) ids.Text(id.str());
    steps.push_back({"ReadDefinitionsOfInstances", {ids.str()}});
  }
  return steps;
}

LoadedApps LoadApps(Session& session, const AppLoad& load) {
  return TakeApps(session, load, session.RunTogether(StepsOf(load)));
}

LoadedApps TakeApps(Session& session, const AppLoad& load, std::span<const Rows> rows) {
  LoadedApps loaded;
  if (!load.apps.empty()) {
    for (const ProcessGuid& guid : load.apps) loaded.apps[guid].guid = guid;
    LoadDesired(session.cipher(), rows[0], loaded, load.lock != AppLoad::Lock::kNothing, load.mend);
    LoadRolls(session, load, rows[1], rows[2], loaded);
    LoadDefinitions(rows[3], loaded);
    TakeActuals(session.cipher(), load, rows.subspan(kBeforeActuals, ReadsOfActuals(load)), loaded);
    for (const ProcessGuid& guid : load.apps) TakeLost(loaded.apps.at(guid), load.mend, loaded);
  }
  if (!load.instances.empty()) {
    const std::size_t at = InstancesAt(load);
    TakeInstances(session.cipher(), rows[at], loaded);
    if (!load.with_definition.empty()) LoadDefinitions(rows[at + 1], loaded);
  }
  return loaded;
}

std::vector<const Rows*> ActualRows(const AppLoad& load, std::span<const Rows> rows) {
  std::vector<const Rows*> some;
  if (load.HasUnknown()) some.push_back(&rows[kBeforeActuals]);
  if (!load.instances.empty()) some.push_back(&rows[InstancesAt(load)]);
  return some;
}

void LoadSurroundings(Session& session, const std::map<ProcessGuid, AppState>& apps, Moment& moment) {
  TakeFleet(session, apps, session.RunTogether(FleetReadSteps()), moment);
}

std::vector<Session::Step> FleetReadSteps() { return {{"ReadLiveConsumers"}, {"ReadCellLeases"}}; }

void TakeFleet(Session& session, const std::map<ProcessGuid, AppState>& apps, std::span<const Rows> rows,
               Moment& moment) {
  for (const auto row : rows[0]) {
    moment.consumers.insert(ConsumerId(row.Text("consumer_id")));
    moment.heard[ConsumerId(row.Text("consumer_id"))] = row.Time("registered_at");
  }
  for (const auto row : rows[1]) {
    moment.cells[CellId(row.Text("cell_id"))] = {row.Time("lease_expires_at"), row.Bool("draining"), row.Bool("missing")};
  }
  if (!std::ranges::any_of(apps, [](const auto& entry) { return HasOrphans(entry.second); })) return;
  for (const auto row : session.Run("ReadFreshDomains")) moment.fresh_domains.insert(row.Text("domain"));
}

}  // namespace baton
