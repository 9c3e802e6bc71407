#include "orchestrator/app/apps/forecast.h"

#include <algorithm>
#include <map>

#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/app/leader/drive.h"
#include "orchestrator/model/calls/secret_text.h"
#include "orchestrator/roll/planner.h"
#include "orchestrator/roll/transition.h"
#include "orchestrator/routing/bindings.h"

namespace baton {
namespace {

// Far beyond what anybody waits for.
constexpr Duration kLookAhead = std::chrono::hours(24 * 7);

int PassesMost(int work, int instances) { return std::clamp(work / std::max(instances, 1), 20, 10'000); }

class Planned final : public IdSource {
 public:
  std::string NewUuid() override { return "planned-" + std::to_string(++next_); }
  std::int64_t NewIncarnation() override { return ++next_; }

 private:
  std::int64_t next_ = 1'000'000'000;
};

// Cells that do what they are told, in the times that are assumed.
class CellSimulation {
 public:
  CellSimulation(AppState& app, Moment moment, const std::vector<CellOffer>& cells,
                 const ForecastAssumptions& assumptions)
      : app_(app), moment_(std::move(moment)), began_(moment_.now), cells_(cells), assumptions_(assumptions) {
    moment_.ids = &ids_;
    for (auto& [id, lease] : moment_.cells) {
      if (lease.expires_at > moment_.now) lease.expires_at = moment_.now + 2 * kLookAhead;  // who is here stays
    }
    for (const CellOffer& cell : cells_) forecast_.memory_free_mb += cell.draining ? 0 : cell.free.memory_mb;
    forecast_.instances_now = Up();
    forecast_.memory_now_mb = Memory();
  }

  Status Decide(const std::function<Status(AppEdit&)>& decide) {
    running_before_ = Running();
    AppEdit edit(app_, moment_, "plan");
    if (const Status status = decide(edit); !status) return status;
    Keep(edit.Finish());
    if (app_.roll) {
      forecast_.source = app_.roll->source;
      forecast_.target = app_.roll->target;
    }
    return Done{};
  }

  const Forecast& so_far() const { return forecast_; }

  Forecast Run(const ForecastReach& reach) {
    promotes_ = reach.promotes;
    const int passes_max = PassesMost(reach.work, app_.desired ? app_.desired->instances : 0);
    int passes = 0;
    while (Pass()) {
      Count();
      if (++passes >= passes_max) {
        cut_ = true;
        Warn("only the first " + std::to_string(passes_max) + " passes were looked at: it goes on after that");
        break;
      }
      if (!Advance()) break;
    }
    Finish();
    return forecast_;
  }

 private:
  // One pass of the planner, and what follows from it. False: it is done.
  bool Pass() {
    AppEdit edit(app_, moment_, "baton");
    Effects effects = RunPlanner(edit);
    Plan& plan = effects.plan;
    reasons_ = std::move(plan.reasons);
    served_ = plan.served;
    wake_at_ = plan.wake_up_at;
    Keep(edit.Finish());
    for (const PlacementRequest& request : effects.to_place) Place(request);
    bool leaving = false;
    for (auto& [id, lrp] : app_.actuals) {
      if (Starts(lrp)) Schedule(id, lrp.claimed_at.value_or(moment_.now) + assumptions_.start);
      if (lrp.stop_ordered_at) Schedule(id, lrp.retiring_since.value_or(*lrp.stop_ordered_at) + assumptions_.stop);
      if (lrp.presence != Presence::kRetiring) {
        if (lrp.routable) lrp.applied_by = moment_.consumers;  // at once: no router is slow
        continue;
      }
      leaving = true;
      if (lrp.drained_by == moment_.consumers) continue;
      lrp.drained_by = moment_.consumers;  // at once: a drain is in what a stop takes
      wake_at_ = moment_.now;
    }
    PassStage();
    return app_.roll || leaving || !events_.empty() || !plan.to_place.empty();
  }

  void Place(const PlacementRequest& request) {
    ActualLrp& lrp = app_.actuals.at(request.id);
    const Definition& definition = request.definition;
    const Placement placement = baton::Place(definition, request.avoid, OffersTo(request));
    if (!placement.cell) {
      Warn("no cell can take an instance of " + definition.id.str() + ": " + placement.error);
      return;
    }
    Take(*placement.cell, definition, -1);
    lrp.state = LrpState::kClaimed;
    lrp.cell_id = *placement.cell;
    lrp.instance_guid = InstanceGuid("start-of-" + request.id.str());
    lrp.since = moment_.now;
    lrp.claimed_at = moment_.now;
    if (!moment_.cells.contains(lrp.cell_id)) moment_.cells[lrp.cell_id] = {moment_.now + 2 * kLookAhead, false};
  }

  std::vector<CellOffer> OffersTo(const PlacementRequest& request) const {
    std::vector<CellOffer> offers = cells_;
    for (CellOffer& cell : offers) {
      const auto at = request.leaving->find(cell.id);
      if (at != request.leaving->end()) cell.instances_of_app = std::max(0, cell.instances_of_app - at->second);
    }
    return offers;
  }

  void Take(const CellId& id, const Definition& definition, int sign) {
    for (CellOffer& cell : cells_) {
      if (cell.id != id) continue;
      cell.free.memory_mb += sign * definition.resources.memory_mb;
      cell.free.disk_mb += sign * definition.resources.disk_mb;
      cell.free.pids += sign * definition.resources.pids;
      cell.free.containers += sign;
      cell.free_ports += sign * static_cast<int>(definition.ports.size());
      cell.instances -= sign;
      cell.instances_of_app -= sign;
    }
  }

  // A newcomer that is not ready yet. What else is not ready is sick: nobody knows until when.
  bool Starts(const ActualLrp& lrp) const {
    if (lrp.state == LrpState::kClaimed) return true;
    return lrp.state == LrpState::kRunning && !lrp.routable && lrp.presence != Presence::kRetiring && app_.roll &&
           lrp.definition == Goal(*app_.roll);
  }

  void Schedule(const ActualId& id, TimePoint at) { events_.emplace(id, std::max(at, moment_.now)); }

  // To the next thing that happens. False: nothing will.
  bool Advance() {
    std::optional<TimePoint> next = wake_at_;
    for (const auto& [id, at] : events_) {
      if (!next || at < *next) next = at;
    }
    if (!next || *next - began_ > kLookAhead) return false;
    moment_.now = std::max(*next, moment_.now + milliseconds(1));
    for (auto at = events_.begin(); at != events_.end();) {
      if (at->second > moment_.now) {
        ++at;
        continue;
      }
      Happen(at->first);
      at = events_.erase(at);
    }
    return true;
  }

  void Happen(const ActualId& id) {
    const auto at = app_.actuals.find(id);
    if (at == app_.actuals.end()) return;
    ActualLrp& lrp = at->second;
    const Definition& definition = app_.definitions.at({lrp.incarnation, lrp.definition});
    if (lrp.stop_ordered_at) {
      Take(lrp.cell_id, definition, +1);
      AppEdit edit(app_, moment_, lrp.cell_id.str());
      if (DecideStopped(edit, {id, lrp.instance_guid, lrp.cell_id})) Keep(edit.Finish());
      return;
    }
    if (lrp.state != LrpState::kRunning) {
      lrp.state = LrpState::kRunning;
      lrp.since = moment_.now;
      lrp.net_info.address = "planned";
      for (const auto port : definition.ports) lrp.net_info.ports.push_back({port, port});
    }
    lrp.routable = true;
    lrp.routable_since = moment_.now;
    lrp.applied_by = moment_.consumers;
  }

  // How long somebody takes to promote cannot be predicted.
  void PassStage() {
    if (!app_.roll || !app_.roll->stage_since) return;
    const auto& stages = app_.roll->strategy.stages;
    const auto number = static_cast<std::size_t>(app_.roll->stages_done);
    if (number >= stages.size() || stages[number].wait) return;
    waits_ = !promotes_;
    Warn("it waits at stage " + std::to_string(number + 1) + " for " +
         (stages[number].verdict_url.empty() ? "a promotion" : "an outside verdict") +
         (promotes_ ? ", which is not in the times" : ""));
    if (waits_) return;
    AppEdit edit(app_, moment_, "plan");
    if (ApplyRollEvent(edit, RollEvent::kPromote, "promoted at once").ok()) Keep(edit.Finish());
    wake_at_ = moment_.now;
  }

  void Keep(const AppChanges& changes) {
    for (RollStep step : changes.steps) {
      forecast_.opens_roll |= step.kind == StepKind::kOpened;
      step.at = TimePoint(step.at - began_);
      if (forecast_.steps.size() < kForecastStepsMax) forecast_.steps.push_back(std::move(step));
    }
    for (const Roll& roll : changes.closed_rolls) forecast_.ends = roll.state;
  }

  int Up() const {
    return static_cast<int>(
        std::ranges::count_if(app_.actuals, [](const auto& entry) { return MayRun(entry.second); }));
  }
  std::int64_t Memory() const {
    std::int64_t memory = 0;
    for (const auto& [id, lrp] : app_.actuals) {
      if (MayRun(lrp)) memory += app_.definitions.at({lrp.incarnation, lrp.definition}).resources.memory_mb;
    }
    return memory;
  }
  // Each with its slot.
  std::map<ActualId, int> Running() const {
    std::map<ActualId, int> running;
    for (const auto& [id, lrp] : app_.actuals) {
      if (MayRun(lrp) && lrp.presence != Presence::kRetiring) running.emplace(id, lrp.index);
    }
    return running;
  }

  void Count() {
    forecast_.peak_instances = std::max(forecast_.peak_instances, Up());
    forecast_.peak_memory_mb = std::max(forecast_.peak_memory_mb, Memory());
    if (!app_.desired) return;
    const int served = std::min(served_, LeastServedRoute(app_, moment_));
    least_served_ = std::min(least_served_.value_or(served), served);
  }

  void Finish() {
    forecast_.least_served = least_served_.value_or(0);
    const std::map<ActualId, int> after = Running();
    const int instances = app_.desired ? app_.desired->instances : 0;
    // What is above the count goes, and nothing is started in its stead.
    forecast_.restarts = static_cast<int>(std::ranges::count_if(
        running_before_, [&](const auto& one) { return one.second < instances && !after.contains(one.first); }));
    if (app_.roll) {
      forecast_.ends = app_.roll->state;
      for (const Reason& reason : reasons_) {
        if (cut_ || waits_) break;
        if (reason.index >= 0 && reason.until) continue;
        // What an app wrote before it crashed is no part of a forecast.
        Warn("it would not come to an end: " + CellsSentence(reason.text) + "; unblocked by: " + reason.unblocks);
        break;
      }
    } else {
      forecast_.takes = moment_.now - began_;
    }
  }

  void Warn(const std::string& text) {
    if (std::ranges::find(forecast_.warnings, text) == forecast_.warnings.end()) forecast_.warnings.push_back(text);
  }

  AppState& app_;
  Moment moment_;
  const TimePoint began_;
  std::vector<CellOffer> cells_;
  const ForecastAssumptions assumptions_;
  Planned ids_;
  Forecast forecast_;
  std::map<ActualId, TimePoint> events_;  // it becomes routable, or is gone
  std::map<ActualId, int> running_before_;
  std::vector<Reason> reasons_;
  bool promotes_ = true;
  bool cut_ = false;    // it would go on
  bool waits_ = false;  // at a stage, for somebody
  int served_ = 0;
  std::optional<int> least_served_;
  std::optional<TimePoint> wake_at_;
};

void WarnOfPorts(const AppState& app, std::vector<std::string>& warnings) {
  if (!app.desired || app.desired->routes.mapped.empty()) return;
  const auto& routes = app.desired->routes.mapped;
  const Definition& target = app.definitions.at({app.desired->incarnation, app.desired->active});
  const Ports ports(target, app.desired->routes);
  for (const MappedRoute& route : routes) {
    if (BindingOf(route, ports).port != 0) continue;
    warnings.push_back("no port of " + target.id.str() + " fits the route " + Name(route.route) +
                       ": it would end with no endpoint");
  }
  for (const auto port : target.ports) {
    const auto leads = [&](const MappedRoute& route) { return BindingOf(route, ports).port == port; };
    if (std::ranges::any_of(routes, leads)) continue;
    warnings.push_back("no route leads to port " + std::to_string(port) + " of " + target.id.str());
  }
}

std::optional<Duration> Median(std::vector<Duration> all) {
  if (all.empty()) return std::nullopt;
  std::ranges::sort(all);
  return all[all.size() / 2];
}

}  // namespace

ForecastAssumptions MeasuredIn(const std::vector<RollStep>& steps, ForecastAssumptions otherwise) {
  std::vector<Duration> starts;
  std::vector<Duration> stops;
  for (const RollStep& step : steps) {
    if (step.start_took > Duration(0)) starts.push_back(step.start_took);
    if (step.stop_took > Duration(0)) stops.push_back(step.stop_took);
  }
  if (!starts.empty()) otherwise.measured = static_cast<int>(starts.size());
  otherwise.start = Median(std::move(starts)).value_or(otherwise.start);
  otherwise.stop = Median(std::move(stops)).value_or(otherwise.stop);
  return otherwise;
}

Result<Forecast> MakeDecision(AppState& state, Moment moment, const std::function<Status(AppEdit&)>& decide) {
  AppState copy = state;
  CellSimulation simulation(copy, std::move(moment), {}, {});
  if (const Status status = simulation.Decide(decide); !status) return status.error();
  state = copy;
  return simulation.so_far();
}

Result<Forecast> MakeForecast(AppState& state, Moment moment, const std::function<Status(AppEdit&)>& decide,
                              const std::vector<CellOffer>& cells, const ForecastAssumptions& assumptions,
                              const ForecastReach& reach) {
  AppState copy = state;
  CellSimulation simulation(copy, std::move(moment), cells, assumptions);
  if (const Status status = simulation.Decide(decide); !status) return status.error();
  state = copy;
  Forecast forecast = simulation.Run(reach);
  WarnOfPorts(state, forecast.warnings);
  return forecast;
}

}  // namespace baton
