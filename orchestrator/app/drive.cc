#include "orchestrator/app/drive.h"

#include "orchestrator/roll/planner.h"

namespace baton {
namespace {

PlacementRequest RequestFor(const AppState& app, const ActualLrp& lrp) {
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
  for (const auto& [id, other] : app.actuals) {
    if (other.id != lrp.id && other.index == lrp.index && MayRun(other)) request.avoid = other.cell_id;
  }
  return request;
}

}  // namespace

Status DecideAndPlan(AppEdit& edit, const std::function<Status(AppEdit&)>& decide, Driven& out) {
  if (decide) {
    if (Status status = decide(edit); !status) return status;
  }
  out = Driven{};
  out.guid = edit.state().guid;
  const std::string asked_by = edit.ActAs("baton");
  out.plan = PlanRoll(edit);
  edit.ActAs(asked_by);
  const AppState& app = edit.state();
  for (const ActualId& id : out.plan.to_place) out.to_place.push_back(RequestFor(app, app.actuals.at(id)));
  for (const ActualId& id : out.plan.to_stop) {
    const ActualLrp& lrp = app.actuals.at(id);
    out.to_stop.push_back({id, lrp.instance_guid, lrp.cell_id});
  }
  out.roll_open = app.roll.has_value();
  return Done{};
}

}  // namespace baton
