#include <cstdio>

#include "orchestrator/base/check.h"
#include "orchestrator/roll/planner.h"
#include "tests/bench/bench.h"
#include "tests/bench/cpu_meter.h"

namespace baton::bench {
namespace {

const TimePoint kNow = FromMicros(1'700'000'000'000'000);

class Counter final : public IdSource {
 public:
  std::string NewUuid() override { return "id-" + std::to_string(++last_); }
  std::int64_t NewIncarnation() override { return ++last_; }

 private:
  std::int64_t last_ = 0;
};

Moment Now(IdSource& ids) {
  Moment moment;
  moment.now = kNow;
  moment.ids = &ids;
  for (int i = 0; i < 20; ++i) moment.cells[CellId("cell-" + std::to_string(i))] = {kNow + seconds(60), false};
  moment.consumers.insert(ConsumerId("router-1"));
  return moment;
}

ActualLrp RunningInstance(int index, const DefinitionId& definition) {
  ActualLrp lrp;
  lrp.id = ActualId("lrp-" + std::to_string(index));
  lrp.incarnation = 1;
  lrp.index = index;
  lrp.definition = definition;
  lrp.state = LrpState::kRunning;
  lrp.instance_guid = InstanceGuid("run-" + std::to_string(index));
  lrp.cell_id = CellId("cell-" + std::to_string(index % 20));
  lrp.net_info = {"10.0.0.1", "10.0.0.1", {{8080, static_cast<std::uint32_t>(1024 + index)}}};
  lrp.since = kNow - seconds(600);
  lrp.routable = true;
  lrp.routable_since = lrp.claimed_at = kNow - seconds(500);
  lrp.applied_by.insert(ConsumerId("router-1"));
  return lrp;
}

// Half of the slots are rolled, and one is under way.
AppState MidRoll(int instances) {
  AppState app;
  app.guid = ProcessGuid("app");
  for (const char* id : {"v1", "v2"}) {
    Definition definition;
    definition.id = DefinitionId(id);
    definition.content_hash = id;
    definition.ports = {8080};
    definition.proven_at = kNow - seconds(9999);
    app.definitions[{1, definition.id}] = definition;
  }
  DesiredLrp desired;
  desired.incarnation = 1;
  desired.instances = instances;
  desired.routes.mapped = {{RouteNamed("app.example"), 8080}};
  desired.active = DefinitionId("v2");
  desired.healthy = DefinitionId("v1");
  app.desired = desired;
  Roll roll;
  roll.id = RollId("roll");
  roll.incarnation = 1;
  roll.source = DefinitionId("v1");
  roll.target = DefinitionId("v2");
  roll.state = RollState::kRolling;
  roll.deadline = kNow + seconds(600);
  roll.proved_at = kNow - seconds(60);
  app.roll = roll;
  for (int i = 0; i < instances; ++i) {
    ActualLrp lrp = RunningInstance(i, DefinitionId(i < instances / 2 ? "v2" : "v1"));
    app.actuals[lrp.id] = lrp;
  }
  return app;
}

}  // namespace

Figures BenchPlanner() {
  Figures figures;
  for (const int instances : {6, 100, 1000}) {
    const AppState app = MidRoll(instances);
    const int passes = 20000 / instances + 20;
    double cpu = 0;
    for (int i = 0; i < passes; ++i) {
      Counter ids;
      const Moment moment = Now(ids);
      AppState copy = app;
      AppEdit edit(copy, moment, "bench");
      const CpuMeter meter;
      const Plan plan = PlanRoll(edit);
      cpu += meter.cpu_seconds();
      CHECK(plan.steps > 0);  // the next slot is surged: a pass that does nothing would measure nothing
    }
    figures["planner_us_" + std::to_string(instances) + "_instances"] = cpu / passes * 1e6;
  }
  return figures;
}

}  // namespace baton::bench
