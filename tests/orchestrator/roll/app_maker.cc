#include "tests/orchestrator/roll/app_maker.h"

#include <algorithm>
#include <iterator>

namespace baton {
namespace {

const TimePoint kBegin = FromMicros(1'700'000'000'000'000);
const ConsumerId kRouter("router");

Definition MakeDefinition(const std::string& name) {
  Definition definition;
  definition.id = DefinitionId(name);
  definition.content_hash = name;
  definition.ports = {8080};
  return definition;
}

}  // namespace

AppMaker::AppMaker(int instances) {
  moment.now = kBegin;
  moment.ids = &ids_;
  moment.consumers.insert(kRouter);
  Wait(Duration(0));
  app.guid = ProcessGuid("app");
  DesiredLrp desired;
  desired.incarnation = 1;
  desired.instances = instances;
  desired.active = DefinitionId("v2");
  desired.healthy = DefinitionId("v1");
  app.desired = desired;
  for (const char* name : {"v1", "v2"}) app.definitions[{1, DefinitionId(name)}] = MakeDefinition(name);
  app.definitions.at({1, DefinitionId("v1")}).proven_at = kBegin;
}

AppMaker AppMaker::Settled(int instances) {
  AppMaker maker(instances);
  maker.app.desired->active = maker.app.desired->healthy = DefinitionId("v1");
  maker.RunAll("v1");
  return maker;
}

void AppMaker::RunAll(const std::string& definition) {
  for (int i = 0; i < app.desired->instances; ++i) {
    Start(Add(i, Presence::kOrdinary, definition), moment.now - strategy().min_healthy_time);
  }
}

ActualLrp& AppMaker::Add(int index, Presence presence, const std::string& definition) {
  ActualLrp lrp;
  lrp.id = ActualId(ids_.NewUuid());
  lrp.incarnation = 1;
  lrp.index = index;
  lrp.presence = presence;
  lrp.definition = DefinitionId(definition);
  lrp.since = moment.now;
  return app.actuals[lrp.id] = lrp;
}

void AppMaker::Start(ActualLrp& lrp, TimePoint now) {
  lrp.state = LrpState::kRunning;
  lrp.instance_guid = InstanceGuid("run-of-" + lrp.id.str());
  lrp.cell_id = CellId("cell-" + std::to_string(lrp.index % 10));
  lrp.net_info = {"10.0.0.1", "10.0.0.1", {{8080, 61000}}};
  lrp.since = now;
  lrp.claimed_at = now;
  lrp.routable = true;
  lrp.routable_since = now;
  lrp.applied_by = {kRouter};
}

void AppMaker::MakeUnready(ActualLrp& lrp) {
  lrp.routable = false;
  lrp.routable_since.reset();
}

void AppMaker::OpenRoll() {
  AppEdit edit(app, moment, "test");
  Roll roll;
  roll.incarnation = 1;
  roll.source = DefinitionId("v1");
  roll.target = DefinitionId("v2");
  roll.deadline = moment.now + strategy().progress_deadline;
  edit.OpenRoll(std::move(roll));
  (void)edit.Finish();
}

void AppMaker::Wait(Duration duration) {
  moment.now += duration;
  for (int i = 0; i < 10; ++i) moment.cells[CellId("cell-" + std::to_string(i))] = {moment.now + seconds(10), false};
  moment.cells[kDrainingCell] = {moment.now + seconds(10), true};
}

Plan AppMaker::PlanNow() {
  AppEdit edit(app, moment, "baton");
  Plan plan = PlanRoll(edit);
  std::ranges::move(edit.Finish().steps, std::back_inserter(steps));
  return plan;
}

void AppMaker::Run(const std::function<void(AppMaker&)>& cells, Duration step, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    PlanNow();
    cells(*this);
    Wait(step);
  }
  PlanNow();
}

ActualLrp* AppMaker::Of(int index, Presence presence) {
  for (auto& [id, lrp] : app.actuals) {
    if (lrp.index == index && lrp.presence == presence) return &lrp;
  }
  return nullptr;
}

int AppMaker::Count(Presence presence) const {
  return static_cast<int>(
      std::ranges::count_if(app.actuals, [&](const auto& entry) { return entry.second.presence == presence; }));
}

int AppMaker::ReadyOf(const std::string& definition) const {
  int count = 0;
  for (const auto& [id, lrp] : app.actuals) {
    count += lrp.presence == Presence::kOrdinary && lrp.definition.str() == definition && lrp.routable_since &&
             *lrp.routable_since + StrategyOf(app).min_healthy_time <= moment.now;
  }
  return count;
}

bool AppMaker::Explains(const Plan& plan, std::string_view rule) const {
  return std::ranges::any_of(plan.reasons, [&](const Reason& reason) { return reason.rule == rule; });
}

void HonestCells(AppMaker& maker) {
  std::vector<ActualId> gone;
  for (auto& [id, lrp] : maker.app.actuals) {
    if (lrp.state == LrpState::kUnclaimed) AppMaker::Start(lrp, maker.moment.now);
    if (lrp.presence == Presence::kRetiring) lrp.drained_by = {kRouter};
    if (lrp.stop_ordered_at) gone.push_back(id);
  }
  for (const ActualId& id : gone) maker.app.actuals.erase(id);
}

}  // namespace baton
