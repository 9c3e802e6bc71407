#include "sql/read/sweep_reader.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "orchestrator/base/check.h"
#include "orchestrator/model/names.h"
#include "sql/read/app_reader.h"
#include "sql/registry/registry_reader.h"
#include "sql/session/array.h"
#include "sql/session/row_values.h"

namespace baton {
namespace {

void AddInstances(const Rows& rows, SweepView& view) {
  for (const auto row : rows) {
    const auto presence = ParsePresence(row.Text("presence"));
    const auto state = ParseLrpState(row.Text("state"));
    if (!presence || !state) {  // the CHECK was dropped; the app is left alone until the row is repaired
      view.faults.push_back({Category::kUnreadableRow, ProcessGuid(),
                             "actual_lrps " + row.Text("actual_id") + " of " + row.Text("process_guid") + ": presence '" +
                                 row.Text("presence") + "', state '" + row.Text("state") + "'"});
      continue;
    }
    InstanceSight one;
    one.guid = ProcessGuid(row.Text("process_guid"));
    one.domain = row.Text("domain");
    one.index = static_cast<int>(row.Int("instance_index"));
    one.presence = *presence;
    one.state = *state;
    one.since = row.Time("since");
    one.cell = CellId(row.Text("cell_id"));
    one.crash_count = static_cast<int>(row.Int("crash_count"));
    one.drain_until = row.OptionalTime("drain_until");
    one.stop_ordered_at = row.OptionalTime("stop_ordered_at");
    one.desired = row.Bool("desired");
    one.present = row.Bool("present");
    view.instances.push_back(std::move(one));
  }
}

// As SweepCounts writes it. Nothing wanted: nobody's.
struct Differing {
  std::optional<int> wanted;
  CountSight count;
};

Differing ParseDiffering(const std::string& text) {
  std::size_t at = 0;
  const auto word = [&] {
    const std::size_t end = text.find(' ', at);
    CHECK(end != text.npos);
    const std::size_t from = std::exchange(at, end + 1);
    return text.substr(from, end - from);
  };
  Differing app;
  if (const std::string wanted = word(); !wanted.empty()) app.count.wanted = *(app.wanted = std::stoi(wanted));
  app.count.rows = std::stoi(word());
  app.count.highest = std::stoi(word());
  app.count.guid = ProcessGuid(text.substr(at));
  return app;
}

// Rows whose state or presence cannot be read are named by AddInstances. `beyond`: apps that have ORDINARY rows beyond what is
// wanted.
void CountFleet(Session& session, const Rows::Row& counts, const std::string& beyond, FleetCount& fleet) {
  std::int64_t settled = counts.Int("ordinary");
  for (const auto row : session.Run("SweepFleet")) {
    const auto state = ParseLrpState(row.Text("state"));
    const auto presence = ParsePresence(row.Text("presence"));
    if (presence == Presence::kOrdinary) settled -= row.Int("instances");
    if (state && presence) fleet.instances[{*state, *presence}] = row.Int("instances");
  }
  if (settled > 0) fleet.instances[{LrpState::kRunning, Presence::kOrdinary}] += settled;
  const auto slots = session.Run("SweepSlots", {beyond});
  fleet.slots += counts.Int("slots");
  fleet.slots_served = counts.Int("ordinary_within") - slots[0].Int("ordinary_within") + slots[0].Int("served");
}

void AddCounts(Session& session, SweepView& view) {
  const Rows counts = session.Run("SweepCounts");
  ArrayParam nobodys, beyond;
  for (const std::string& text : counts[0].Array("differing")) {
    Differing app = ParseDiffering(text);
    if (!app.wanted) {
      nobodys.Text(app.count.guid.str());
      continue;
    }
    if (app.count.highest >= *app.wanted) beyond.Text(app.count.guid.str());
    view.counts.push_back(std::move(app.count));
  }
  if (!nobodys.empty()) {
    AddInstances(session.Run("SweepInstancesOf", {nobodys.str()}), view);
    for (const auto row : session.Run("SweepOthers", {nobodys.str()})) {
      const int wanted = static_cast<int>(row.Int("instances"));
      view.fleet.slots += wanted;
      if (wanted > 0) view.counts.push_back({.guid = ProcessGuid(row.Text("process_guid")), .wanted = wanted});
    }
  }
  CountFleet(session, counts[0], beyond.str(), view.fleet);
}

void AddRolls(const Rows& rows, const Cipher& cipher, SweepView& view) {
  for (const auto row : rows) {
    const auto state = ParseRollState(row.Text("state"));
    if (!state) {
      view.faults.push_back(
          {Category::kUnreadableRow, ProcessGuid(), "rolls of " + row.Text("process_guid") + ": state '" + row.Text("state") + "'"});
      continue;
    }
    Blobs blobs(cipher, "rolls", row.Text("process_guid") + "/" + row.Text("incarnation"));
    std::string reason = row.IsNull("reason") ? "" : blobs.Shown(row, "reason");
    if (blobs.first()) reason = blobs.first()->message;
    view.open_rolls.push_back({ProcessGuid(row.Text("process_guid")), *state, std::move(reason)});
  }
}

}  // namespace

SweepView ReadSweepView(Session& session, PassKind kind) {
  SweepView view;
  view.kind = kind;
  view.now = session.Run("ReadNow")[0].Time();
  for (const auto row : session.Run("SweepCells")) view.cells.push_back(ReadCell(row));
  AddInstances(session.Run("SweepUnsettled"), view);
  AddRolls(session.Run("SweepRolls"), session.cipher(), view);
  for (const auto row : session.Run("SweepDomains")) view.domains.push_back({row.Text("domain"), row.OptionalTime("expires_at")});
  for (const auto row : session.Run("SweepGoneConsumers")) view.gone_consumers.emplace_back(row.Text("consumer_id"));
  if (kind == PassKind::kIncremental) return view;
  AddCounts(session, view);
  if (kind == PassKind::kCount) return view;
  for (const auto row : session.Run("SweepUnproven")) view.unproven.emplace_back(row.Text("process_guid"));
  for (const auto row : session.Run("SweepBrokenReferences")) {
    view.faults.push_back({Category::kBrokenReference, ProcessGuid(), row.Text()});
  }
  return view;
}

std::vector<AppState> ReadCollectable(Session& session, const ProcessGuid& after, int history, int limit) {
  std::map<ProcessGuid, AppState> apps;
  ArrayParam guids;
  for (const auto row :
       session.Run("SweepCollectable", {after.str(), std::to_string(history), std::to_string(limit)})) {
    apps[ProcessGuid(row.Text("process_guid"))].guid = ProcessGuid(row.Text("process_guid"));
    guids.Text(row.Text("process_guid"));
  }
  if (apps.empty()) return {};
  for (const auto row : session.Run("DumpDesired", {guids.str()})) {
    DesiredLrp& desired = apps.at(ProcessGuid(row.Text("process_guid"))).desired.emplace();
    desired.incarnation = row.Int("incarnation");
    desired.domain = row.Text("domain");
    desired.active = DefinitionId(row.Text("active_definition"));
    desired.healthy = DefinitionId(row.TextOrEmpty("healthy_definition"));
    if (!row.IsNull("definition_history")) desired.definition_history = static_cast<int>(row.Int("definition_history"));
  }
  for (const auto row : session.Run("DumpRolls", {guids.str()})) {
    Roll& roll = apps.at(ProcessGuid(row.Text("process_guid"))).roll.emplace();
    roll.incarnation = row.Int("incarnation");
    roll.id = RollId(row.Text("roll_id"));
    roll.source = DefinitionId(row.TextOrEmpty("source_definition"));
    roll.target = DefinitionId(row.Text("target_definition"));
  }
  for (const auto row : session.Run("CollectableRows", {guids.str()})) {
    AppState& app = apps.at(ProcessGuid(row.Text("process_guid")));
    Definition definition;
    definition.id = DefinitionId(row.Text("definition_identifier"));
    definition.proven_at = row.OptionalTime("proven_at");
    definition.pinned = row.Bool("pinned");
    const DefinitionKey key{row.Int("incarnation"), definition.id};
    if (row.Bool("in_use")) {  // one stands for all of them
      ActualLrp lrp;
      lrp.id = ActualId(std::to_string(key.incarnation) + "/" + key.id.str());
      lrp.incarnation = key.incarnation;
      lrp.definition = key.id;
      app.actuals.emplace(lrp.id, lrp);
    }
    app.definitions.emplace(key, std::move(definition));
  }
  std::vector<AppState> list;
  for (auto& [guid, app] : apps) list.push_back(std::move(app));
  return list;
}

}  // namespace baton
