#include "sql/sweep_reader.h"

#include <map>
#include <string>

#include "orchestrator/model/names.h"
#include "sql/app_reader.h"
#include "sql/array.h"
#include "sql/registry_reader.h"
#include "sql/row_values.h"

namespace baton {
namespace {

void AddInstances(const Rows& rows, SweepView& view) {
  for (const auto row : rows) {
    const auto presence = ParsePresence(row.Text(4));
    const auto state = ParseLrpState(row.Text(5));
    if (!presence || !state) {  // somebody dropped the CHECK; its app is left alone until it is mended
      view.faults.push_back({Category::kUnreadableRow, ProcessGuid(),
                             "actual_lrps " + row.Text(1) + " of " + row.Text(0) + ": presence '" + row.Text(4) +
                                 "', state '" + row.Text(5) + "'"});
      continue;
    }
    InstanceSight one;
    one.guid = ProcessGuid(row.Text(0));
    one.domain = row.Text(2);
    one.index = static_cast<int>(row.Int(3));
    one.presence = *presence;
    one.state = *state;
    one.since = row.Time(6);
    one.cell = CellId(row.Text(7));
    one.crash_count = static_cast<int>(row.Int(8));
    one.drain_until = row.OptionalTime(9);
    one.stop_ordered_at = row.OptionalTime(10);
    one.desired = row.Bool(11);
    one.present = row.Bool(12);
    view.instances.push_back(std::move(one));
  }
}

void AddCounts(Session& session, SweepView& view) {
  ArrayParam unwanted;
  for (const auto row : session.Run("SweepCounts")) {
    if (row.Bool(1)) {
      view.counts.push_back({ProcessGuid(row.Text(0)), static_cast<int>(row.Int(2)), static_cast<int>(row.Int(3)),
                             static_cast<int>(row.Int(4))});
    } else {
      unwanted.Text(row.Text(0));
    }
  }
  if (!unwanted.empty()) AddInstances(session.Run("SweepInstancesOf", {unwanted.str()}), view);
}

void AddRolls(const Rows& rows, const Cipher& cipher, SweepView& view) {
  for (const auto row : rows) {
    const auto state = ParseRollState(row.Text(1));
    if (!state) {
      view.faults.push_back(
          {Category::kUnreadableRow, ProcessGuid(), "rolls of " + row.Text(0) + ": state '" + row.Text(1) + "'"});
      continue;
    }
    Blobs blobs(cipher, "rolls", row.Text(0) + "/" + row.Text(2));
    std::string reason = row.IsNull(3) ? "" : blobs.Shown(row, 3, "reason");
    if (blobs.first()) reason = blobs.first()->message;
    view.open_rolls.push_back({ProcessGuid(row.Text(0)), *state, std::move(reason)});
  }
}

// Rows whose state or presence cannot be read are named by AddInstances.
void CountFleet(Session& session, FleetCount& fleet) {
  for (const auto row : session.Run("SweepFleet")) {
    const auto state = ParseLrpState(row.Text(0));
    const auto presence = ParsePresence(row.Text(1));
    if (state && presence) fleet.instances[{*state, *presence}] = row.Int(2);
  }
  const auto slots = session.Run("SweepSlots");
  fleet.slots = slots[0].Int(0);
  fleet.slots_served = slots[0].Int(1);
}

}  // namespace

SweepView ReadSweepView(Session& session, PassKind kind) {
  SweepView view;
  view.kind = kind;
  view.now = session.Run("ReadNow")[0].Time(0);
  for (const auto row : session.Run("SweepCells")) view.cells.push_back(ReadCell(row));
  AddInstances(session.Run("SweepUnsettled"), view);
  AddRolls(session.Run("SweepRolls"), session.cipher(), view);
  for (const auto row : session.Run("SweepDomains")) view.domains.push_back({row.Text(0), row.OptionalTime(1)});
  for (const auto row : session.Run("SweepGoneConsumers")) view.gone_consumers.emplace_back(row.Text(0));
  if (kind == PassKind::kIncremental) return view;
  AddCounts(session, view);
  CountFleet(session, view.fleet);
  if (kind == PassKind::kCount) return view;
  for (const auto row : session.Run("SweepUnproven")) view.unproven.emplace_back(row.Text(0));
  for (const auto row : session.Run("SweepBrokenReferences")) {
    view.faults.push_back({Category::kBrokenReference, ProcessGuid(), row.Text(0)});
  }
  return view;
}

std::vector<AppState> ReadCollectable(Session& session, const ProcessGuid& after, int history, int limit) {
  std::map<ProcessGuid, AppState> apps;
  ArrayParam guids;
  for (const auto row :
       session.Run("SweepCollectable", {after.str(), std::to_string(history), std::to_string(limit)})) {
    apps[ProcessGuid(row.Text(0))].guid = ProcessGuid(row.Text(0));
    guids.Text(row.Text(0));
  }
  if (apps.empty()) return {};
  for (const auto row : session.Run("DumpDesired", {guids.str()})) {
    DesiredLrp& desired = apps.at(ProcessGuid(row.Text(0))).desired.emplace();
    desired.incarnation = row.Int(1);
    desired.domain = row.Text(2);
    desired.active = DefinitionId(row.Text(3));
    desired.healthy = DefinitionId(row.TextOrEmpty(4));
    if (!row.IsNull(5)) desired.definition_history = static_cast<int>(row.Int(5));
  }
  for (const auto row : session.Run("DumpRolls", {guids.str()})) {
    Roll& roll = apps.at(ProcessGuid(row.Text(0))).roll.emplace();
    roll.incarnation = row.Int(1);
    roll.id = RollId(row.Text(2));
    roll.source = DefinitionId(row.TextOrEmpty(3));
    roll.target = DefinitionId(row.Text(4));
  }
  for (const auto row : session.Run("CollectableRows", {guids.str()})) {
    AppState& app = apps.at(ProcessGuid(row.Text(0)));
    Definition definition;
    definition.id = DefinitionId(row.Text(2));
    definition.proven_at = row.OptionalTime(3);
    definition.pinned = row.Bool(4);
    const DefinitionKey key{row.Int(1), definition.id};
    if (row.Bool(5)) {  // one stands for all of them
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
