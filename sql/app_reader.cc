#include "sql/app_reader.h"

#include <algorithm>
#include <tuple>

#include "orchestrator/model/names.h"
#include "orchestrator/ports/reader.h"
#include "orchestrator/wire/stored.h"
#include "sql/columns.h"
#include "sql/row_values.h"

namespace baton {
namespace {

ArrayParam Names(const std::vector<ProcessGuid>& guids) {
  ArrayParam array;
  for (const ProcessGuid& guid : guids) array.Text(guid.str());
  return array;
}

template <class Names>
std::set<ConsumerId> Consumers(const Names& names) {
  std::set<ConsumerId> consumers;
  for (const auto& name : names) consumers.insert(ConsumerId(name));
  return consumers;
}

void LoadActuals(const Cipher& cipher, const Rows& rows, LoadedApps& loaded, bool whole, bool mend) {
  for (const auto row : rows) {
    const ProcessGuid guid(row.Text(1));
    AppState& app = loaded.apps[guid];
    app.guid = guid;
    bool mended = false;
    auto lrp = ReadActual(row, cipher, mend ? &mended : nullptr);
    if (!lrp) {
      loaded.broken.emplace(guid, lrp.error());
      continue;
    }
    if (!whole) loaded.instances[lrp->id] = guid;
    const ActualId id = lrp->id;
    if (mended) loaded.mended[guid].actuals.insert(id);
    app.actuals.emplace(id, *std::move(lrp));
  }
}

// Instances that no app wants, and that nobody has begun to take away.
bool HasOrphans(const AppState& app) {
  return !app.desired && std::ranges::any_of(app.actuals, [](const auto& entry) {
    return entry.second.presence != Presence::kRetiring;
  });
}

// A row that names a definition that is not there. Foreign keys hold all of these; somebody dropped one, and then a row.
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
  for (const auto& [id, lrp] : app.actuals) look("actual_lrps " + id.str(), lrp.incarnation, lrp.definition);
  return lost;
}

// The app is left alone, or what is lost is named for whoever mends it.
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

void LoadDesired(const Cipher& cipher, const Rows& rows, LoadedApps& loaded, bool mend) {
  for (const auto row : rows) {
    const ProcessGuid guid(row.Text(0));
    bool mended = false;
    auto desired = ReadDesired(row, cipher, mend ? &mended : nullptr);
    if (mended) loaded.mended[guid].desired = true;
    desired ? void(loaded.apps.at(guid).desired = *std::move(desired)) : void(loaded.broken.emplace(guid, desired.error()));
  }
}

void LoadDefinitions(const Rows& rows, LoadedApps& loaded) {
  for (const auto row : rows) {
    Definition definition = ReadDefinition(row);
    const DefinitionKey key{row.Int(1), definition.id};
    loaded.apps[ProcessGuid(row.Text(0))].definitions.emplace(key, std::move(definition));
  }
}

void LoadRolls(Session& session, const Rows& rolls, const Rows& past_rolls, LoadedApps& loaded, bool mend) {
  Columns open(3);
  for (const auto row : rolls) {
    const ProcessGuid guid(row.Text(0));
    bool mended = false;
    auto roll = ReadRoll(row, session.cipher(), mend ? &mended : nullptr);
    if (mended) loaded.mended[guid].roll = true;
    if (!roll) {
      loaded.broken.emplace(guid, roll.error());
    } else {
      open.Row().Text(guid.str()).Text(roll->id.str()).Int(roll->counted_from);
      loaded.apps.at(guid).roll = *std::move(roll);
    }
  }
  for (const auto row : open.RunIfAny(session, "ReadSlotLogs")) {
    SlotLog& log = loaded.apps.at(ProcessGuid(row.Text(0))).slot_logs[static_cast<int>(row.Int(1))];
    log.failed_attempts = static_cast<int>(row.Int(2));
    log.last_failure_at = row.OptionalTime(3);
    log.handed_over = row.Bool(4);
    log.late_failures = static_cast<int>(row.Int(5));
    if (log.failed_attempts == 0) continue;
    auto words = session.cipher().Open({"roll_steps", "text", row.Text(6) + "/" + row.Text(7)}, row.Bytes(8));
    log.last_failure = words ? *std::move(words) : words.error().message;
  }
  for (const auto row : past_rolls) {
    PastRoll past;
    past.id = RollId(row.Text(1));
    past.target = DefinitionId(row.Text(2));
    past.state = ParseRollState(row.Text(3)).value_or(RollState::kYielded);
    past.refused = row.Bool(4);
    past.finished_at = row.Time(5);
    loaded.apps.at(ProcessGuid(row.Text(0))).past_rolls.push_back(past);
  }
}

}  // namespace

Result<DesiredLrp> ReadDesired(const Rows::Row& row, const Cipher& cipher, bool* mended) {
  DesiredLrp d;
  Blobs blobs(cipher, "desired_lrps", row.Text(0));
  d.incarnation = row.Int(1);
  d.domain = row.Text(2);
  d.log_guid = row.Text(3);
  d.instances = static_cast<int>(row.Int(4));
  blobs.Take("routes", wire::DecodeRoutes(blobs.Open(row, 5, "routes")), d.routes);
  d.annotation = blobs.Text(row, 6, "annotation");
  blobs.Take("metric_tags", wire::DecodeMetricTags(blobs.Open(row, 7, "metric_tags")), d.metric_tags);
  wire::Credentials credentials;
  blobs.Take("credentials", wire::DecodeCredentials(blobs.Open(row, 8, "credentials")), credentials);
  d.image_username = credentials.username;
  d.image_password = credentials.password;
  blobs.Take("strategy", wire::DecodeStrategy(blobs.Open(row, 9, "strategy")), d.strategy);
  d.active = DefinitionId(row.Text(10));
  d.healthy = DefinitionId(row.TextOrEmpty(11));
  d.created_at = row.Time(12);
  d.tag = {row.Text(13), static_cast<std::uint32_t>(row.Int(14))};
  if (!row.IsNull(15)) d.definition_history = static_cast<int>(row.Int(15));
  if (mended) {
    *mended = blobs.first().has_value();
  } else if (blobs.first()) {
    return *blobs.first();
  }
  return d;
}

Result<DesiredRead> ReadSchedulingInfo(const Rows::Row& row, const Cipher& cipher) {
  DesiredRead read{.guid = ProcessGuid(row.Text(0)), .desired = {}, .active = {}, .run_info = {}, .open_roll = {}};
  DesiredLrp& d = read.desired;
  Blobs blobs(cipher, "desired_lrps", row.Text(0));
  d.domain = row.Text(1);
  d.log_guid = row.Text(2);
  d.instances = static_cast<int>(row.Int(3));
  blobs.Take("routes", wire::DecodePayloads(blobs.Open(row, 4, "routes")), d.routes.payloads);
  d.annotation = blobs.Text(row, 5, "annotation");
  blobs.Take("metric_tags", wire::DecodeMetricTags(blobs.Open(row, 6, "metric_tags")), d.metric_tags);
  d.active = DefinitionId(row.Text(7));
  d.tag = {row.Text(8), static_cast<std::uint32_t>(row.Int(9))};
  Definition& f = read.active;
  f.content_hash = row.Text(10);
  f.resources = {row.Int(11), row.Int(12), row.Int(13), 1};
  f.root_fs = row.Text(14);
  f.ports = PortNumbers(row.Array(15));
  f.placement_tags = row.Array(16);
  f.needs = row.Array(17);
  if (blobs.first()) return *blobs.first();
  return read;
}

Definition ReadDefinition(const Rows::Row& row) {
  Definition d;
  d.id = DefinitionId(row.Text(2));
  d.content_hash = row.Text(3);
  d.resources = {row.Int(4), row.Int(5), row.Int(6), 1};
  d.root_fs = row.Text(7);
  d.ports = PortNumbers(row.Array(8));
  d.placement_tags = row.Array(9);
  d.needs = row.Array(10);
  d.start_timeout = milliseconds(row.Int(11));
  d.created_at = row.Time(12);
  d.proven_at = row.OptionalTime(13);
  d.pinned = row.Bool(14);
  d.port_aliases = PortAliases(row.Array(15));
  return d;
}

Result<Roll> ReadRoll(const Rows::Row& row, const Cipher& cipher, bool* mended) {
  Roll r;
  r.incarnation = row.Int(1);
  r.id = RollId(row.Text(2));
  r.source = DefinitionId(row.TextOrEmpty(3));
  r.target = DefinitionId(row.Text(4));
  const auto state = ParseRollState(row.Text(5));
  if (!state) return Error{ErrorKind::kDataLoss, "rolls " + r.id.str() + ": there is no state '" + row.Text(5) + "'"};
  r.state = *state;
  Blobs blobs(cipher, "rolls", row.Text(0) + "/" + row.Text(1));
  r.reason = blobs.Shown(row, 6, "reason");
  r.revision = row.Int(7);
  r.opened_at = row.Time(8);
  r.deadline = row.Time(9);
  r.clock_stopped_at = row.OptionalTime(10);
  r.waiting_since = row.OptionalTime(11);
  r.proved_at = row.OptionalTime(12);
  r.last_hand_over_at = row.OptionalTime(13);
  r.counted_from = row.Int(14);
  r.refused = row.Bool(15);
  r.actor = row.Text(16);
  r.paused_by_hand = row.Bool(17);
  r.stage_since = row.OptionalTime(18);
  r.stages_done = static_cast<int>(row.Int(19));
  r.verdict = blobs.Shown(row, 20, "verdict");
  r.condemned = blobs.Shown(row, 21, "condemned");
  r.waited = milliseconds(row.Int(22));
  r.waits_from = row.OptionalTime(23);
  blobs.Take("strategy", wire::DecodeStrategy(blobs.Open(row, 24, "strategy")), r.strategy);
  if (mended) {
    *mended = blobs.first().has_value();
  } else if (blobs.first()) {
    return *blobs.first();
  }
  return r;
}

Result<ActualLrp> ReadActual(const Rows::Row& row, const Cipher& cipher, bool* mended) {
  ActualLrp lrp;
  Blobs blobs(cipher, "actual_lrps", row.Text(0));
  lrp.id = ActualId(row.Text(0));
  lrp.incarnation = row.Int(2);
  lrp.index = static_cast<int>(row.Int(3));
  TakePresenceAndState(row.Text(4), row.Text(7), blobs, lrp);
  lrp.definition = DefinitionId(row.Text(5));
  lrp.roll_id = RollId(row.Text(6));
  lrp.instance_guid = InstanceGuid(row.Text(8));
  lrp.cell_id = CellId(row.Text(9));
  if (const Status read = wire::DecodeStart(blobs.Open(row, 10, "net_info"), lrp); !read) blobs.Keep("net_info", read.error());
  lrp.zone = row.Text(11);
  lrp.since = row.Time(12);
  lrp.routable_since = row.OptionalTime(13);
  lrp.routable = lrp.routable_since.has_value();
  lrp.claimed_at = row.OptionalTime(14);
  lrp.handed_over_at = row.OptionalTime(15);
  lrp.down_since = row.OptionalTime(16);
  lrp.crash_count = static_cast<int>(row.Int(17));
  lrp.crash_reason = blobs.Shown(row, 18, "crash_reason");
  lrp.placement_error = blobs.Shown(row, 19, "placement_error");
  lrp.applied_by = Consumers(row.Array(20));
  lrp.drained_by = Consumers(row.Array(21));
  lrp.retiring_since = row.OptionalTime(22);
  lrp.awaits_drain = row.Bool(23);
  lrp.drain_not_before = row.OptionalTime(24);
  lrp.drain_until = row.OptionalTime(25);
  lrp.stop_ordered_at = row.OptionalTime(26);
  lrp.retire_asked = row.Bool(27);
  lrp.tag = {row.Text(28), static_cast<std::uint32_t>(row.Int(29))};
  lrp.domain = row.Text(30);
  if (mended) {
    *mended = blobs.first().has_value();
    lrp.retire_asked = lrp.retire_asked || *mended;
  } else if (blobs.first()) {
    return *blobs.first();
  }
  return lrp;
}

std::vector<Session::Step> StepsOf(const AppLoad& load) {
  std::vector<Session::Step> steps;
  if (!load.apps.empty()) {
    const std::string guids = Names(load.apps).str();
    steps = {{load.lock ? "LockDesired" : "ReadDesired", {guids}}, {load.lock ? "LockRolls" : "ReadRolls", {guids}},
             {"ReadPastRolls", {guids, std::to_string(kPastRollsMost)}}, {"ReadDefinitions", {guids}}, {load.lock ? "LockActuals" : "ReadActuals", {guids}}};
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
    LoadDesired(session.cipher(), rows[0], loaded, load.mend);
    LoadRolls(session, rows[1], rows[2], loaded, load.mend);
    LoadDefinitions(rows[3], loaded);
    LoadActuals(session.cipher(), rows[4], loaded, /*whole=*/true, load.mend);
    for (const ProcessGuid& guid : load.apps) TakeLost(loaded.apps.at(guid), load.mend, loaded);
  }
  if (!load.instances.empty()) {
    const std::size_t at = load.apps.empty() ? 0 : 5;
    LoadActuals(session.cipher(), rows[at], loaded, /*whole=*/false, /*mend=*/false);
    if (!load.with_definition.empty()) LoadDefinitions(rows[at + 1], loaded);
  }
  return loaded;
}

void LoadSurroundings(Session& session, const std::map<ProcessGuid, AppState>& apps, Moment& moment) {
  TakeSurroundings(session, apps, session.RunTogether(StepsOfSurroundings()), moment);
}

std::vector<Session::Step> StepsOfSurroundings() { return {{"ReadLiveConsumers"}, {"ReadCellLeases"}}; }

void TakeSurroundings(Session& session, const std::map<ProcessGuid, AppState>& apps, std::span<const Rows> rows,
                      Moment& moment) {
  for (const auto row : rows[0]) {
    moment.consumers.insert(ConsumerId(row.Text(0)));
    moment.heard[ConsumerId(row.Text(0))] = row.Time(1);
  }
  for (const auto row : rows[1]) {
    moment.cells[CellId(row.Text(0))] = {row.Time(1), row.Bool(2), row.Bool(3)};
  }
  if (!std::ranges::any_of(apps, [](const auto& entry) { return HasOrphans(entry.second); })) return;
  for (const auto row : session.Run("ReadFreshDomains")) moment.fresh_domains.insert(row.Text(0));
}

}  // namespace baton
