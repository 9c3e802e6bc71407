#include "orchestrator/app/leader/drive.h"

#include <map>
#include <set>

#include "orchestrator/roll/planner.h"

namespace baton {
namespace {

bool IsOnItsWayOut(const AppState& app, const ActualLrp& lrp) {
  const bool stays = lrp.presence == Presence::kOrdinary || lrp.presence == Presence::kSurge;
  return !stays || lrp.retire_asked || !app.desired || lrp.incarnation != app.desired->incarnation ||
         lrp.index >= app.desired->instances;
}

// The cell of what may run in the slot of each that is to be placed; of several in one slot that of the last. No quiet
// slot is among them. One pass over the rows: where each of 100,000 instances to be placed looked through all rows, it
// took minutes in an open transaction.
std::map<int, CellId> CellsOfSlots(const AppState& app, const std::vector<ActualId>& to_place) {
  std::map<int, CellId> cells;
  if (to_place.empty()) return cells;
  for (const ActualId& id : to_place) cells[app.actuals.at(id).index];
  EachInNoQuietSlot(app, [&](const ActualLrp& lrp) {
    if (!MayRun(lrp)) return;
    if (const auto slot = cells.find(lrp.index); slot != cells.end()) slot->second = lrp.cell_id;
  });
  return cells;
}

PlacementRequest RequestFor(const AppState& app, const ActualLrp& lrp, const std::map<int, CellId>& cells) {
  PlacementRequest request;
  request.id = lrp.id;
  request.guid = app.guid;
  request.domain = app.desired->domain;
  request.incarnation = lrp.incarnation;
  request.index = lrp.index;
  request.definition = app.definitions.at({lrp.incarnation, lrp.definition});
  const Duration own = request.definition.start_timeout;
  request.start_timeout = StrategyOf(app).start_timeout.value_or(own > Duration(0) ? own : kDefaultStartTimeout);
  request.placement_error = lrp.placement_error;
  const auto old = cells.find(lrp.index);  // not its own: what is to be placed is UNCLAIMED
  if (old != cells.end()) request.avoid = old->second;
  return request;
}

// The same for all that are placed at one time.
void SayWhatLeaves(const AppState& app, std::vector<PlacementRequest>& requests) {
  if (requests.empty()) return;
  const auto leaving = std::make_shared<const Leaving>(LeavingOf(app));
  for (PlacementRequest& request : requests) request.leaving = leaving;
}

}  // namespace

Leaving LeavingOf(const AppState& app) {
  std::set<int> replaced;
  EachInNoQuietSlot(app, [&](const ActualLrp& lrp) {
    if (lrp.state == LrpState::kUnclaimed) replaced.insert(lrp.index);
  });
  Leaving leaving;
  EachInNoQuietSlot(app, [&](const ActualLrp& lrp) {
    const bool goes = MayRun(lrp) && (IsOnItsWayOut(app, lrp) || replaced.contains(lrp.index));
    if (goes) ++leaving[lrp.cell_id];
  });
  return leaving;
}

Effects RunPlanner(AppEdit& edit) {
  edit.EndDecision();
  Effects out;
  out.guid = edit.state().guid;
  const std::string asked_by = edit.ActAs("baton");
  out.plan = PlanRoll(edit, Reasons::kFirst);
  edit.ActAs(asked_by);
  const AppState& app = edit.state();
  const auto cells = CellsOfSlots(app, out.plan.to_place);
  for (const ActualId& id : out.plan.to_place) out.to_place.push_back(RequestFor(app, app.actuals.at(id), cells));
  SayWhatLeaves(app, out.to_place);
  for (const ActualId& id : out.plan.to_stop) {
    const ActualLrp& lrp = app.actuals.at(id);
    out.to_stop.push_back({id, lrp.instance_guid, lrp.cell_id});
  }
  out.roll_open = app.roll.has_value();
  return out;
}

}  // namespace baton
