// Rolls of many apps and of one, with simulated cells.
#include <chrono>
#include <cstdio>

#include "orchestrator/base/check.h"
#include "tests/bench/bench.h"
#include "tests/bench/calls.h"
#include "tests/bench/shapes.h"

namespace baton::bench {
namespace {

using std::chrono::milliseconds;

constexpr int kRollsCells = 10;
constexpr int kRollsCallers = 64;

struct Shape {
  int apps = 1;
  int instances = 10;
  milliseconds start{0};  // of a cell
  milliseconds stop{0};
  milliseconds min_healthy{0};
  int surge = 1;  // and in flight
};

// Apps without routes, slot by slot.
class RollingApps {
 public:
  explicit RollingApps(const Shape& shape) : shape_(shape) {
    rig_.StartBatond();
    rig_.StartCells(kRollsCells, static_cast<int>(shape.start.count()), static_cast<int>(shape.stop.count()));
    stub_ = v2::DesiredLRPs::NewStub(rig_.channel());
    Calls::Make(shape.apps, kRollsCallers, [this](int i, const Calls::Done& done) { Desire(i, done); });
    AwaitRolled("v1");
  }

  // All of them to another definition; until none rolls any more. In replaced instances a second.
  Figure Roll(const std::string& row = {}) {
    const Usage usage(rig_, row);
    Calls::Make(shape_.apps, kRollsCallers, [this](int i, const Calls::Done& done) { Update(i, done); });
    AwaitRolled("v2");
    const int instances = shape_.apps * shape_.instances;
    Figure figure(instances / usage.wall_seconds());
    figure.unit = "1/s";
    usage.Put(figure, instances);
    return figure;
  }

  // From the instant at which a newcomer was proven, which is known from its rows, to the commit of the step that it
  // led to, which PostgreSQL has written down.
  Figure StepLatency() {
    const std::string steps =
        "(SELECT 1000 * extract(epoch FROM pg_xact_commit_timestamp(s.xmin) - a.routable_since) - " +
        std::to_string(shape_.min_healthy.count()) +
        " AS ms FROM roll_steps s JOIN actual_lrps a USING (actual_id) WHERE s.kind IN ('proven', 'handed_over') AND s.definition_identifier = 'v2') t";
    const auto quantile = [&](const char* part) {
      return static_cast<double>(rig_.Number("SELECT (1000 * percentile_cont(" + std::string(part) +
                                             ") WITHIN GROUP (ORDER BY ms))::bigint FROM " + steps)) / 1000;
    };
    Figure figure(quantile("0.5"));
    figure.unit = "ms";
    figure.p50 = figure.value;
    figure.p99 = quantile("0.99");
    figure.n = rig_.Number("SELECT count(*) FROM " + steps);
    CHECK(figure.n == shape_.apps * shape_.instances);
    return figure;
  }

  bool CommitTimesAreKept() { return rig_.postgres().Setting("track_commit_timestamp") == "on"; }

  // The only app's last roll, in milliseconds.
  double RollMs() {
    return static_cast<double>(rig_.Number(
        "SELECT (1000 * extract(epoch FROM finished_at - opened_at))::bigint FROM roll_history WHERE target_definition = 'v2'"));
  }

 private:
  void Desire(int i, const Calls::Done& done) {
    auto call = std::make_shared<OneCall<v2::DesireLRPRequest, v2::DesireLRPResponse>>();
    call->request = LightApp(BenchGuid(i));
    v2::DesiredLRP& app = *call->request.mutable_desired_lrp();
    app.clear_routes();
    app.set_instances(shape_.instances);
    app.mutable_definition()->set_definition_identifier("v1");
    app.mutable_strategy()->set_min_healthy_time_ms(shape_.min_healthy.count());
    app.mutable_strategy()->mutable_max_surge()->set_count(shape_.surge);
    app.mutable_strategy()->mutable_max_in_flight()->set_count(shape_.surge);
    stub_->async()->DesireLRP(call->context.get(), &call->request, &call->response,
                              [call, done](const grpc::Status& status) { done(status.ok()); });
  }
  void Update(int i, const Calls::Done& done) {
    auto call = std::make_shared<OneCall<v2::UpdateDesiredLRPRequest, v2::UpdateDesiredLRPResponse>>();
    call->request = NewDefinition(BenchGuid(i), "v2");
    call->request.mutable_update()->set_update_identifier("v2");
    stub_->async()->UpdateDesiredLRP(call->context.get(), &call->request, &call->response,
                                     [call, done](const grpc::Status& status) { done(status.ok()); });
  }
  // And each slot has exactly one instance, of this definition, which serves.
  void AwaitRolled(const std::string& definition) {
    rig_.AwaitSql("NOT EXISTS (SELECT FROM rolls)");
    const std::string all = "SELECT count(*) FROM actual_lrps";
    rig_.AwaitSql("(" + all + ") = " + std::to_string(shape_.apps * shape_.instances));
    CHECK(rig_.Number(all + " WHERE state = 'RUNNING' AND presence = 'ORDINARY' AND definition_identifier = '" +
                      definition + "'") == shape_.apps * shape_.instances);
  }

  const Shape shape_;
  // Of use on a server of the bench's own; a server that was given has it or not.
  Rig rig_{{"track_commit_timestamp=on"}};
  std::unique_ptr<v2::DesiredLRPs::Stub> stub_;
};

void PutLatency(Figures& figures, int apps) {
  const std::string row = "roll.step.latency." + std::to_string(apps);
  RollingApps rolling({.apps = apps, .instances = 5, .min_healthy = milliseconds(2000)});
  if (!rolling.CommitTimesAreKept())
    return void(std::fprintf(stderr, "%s is not measured: the server has track_commit_timestamp off\n", row.c_str()));
  (void)rolling.Roll();
  figures[row] = rolling.StepLatency();
}

Figure Overhead() {
  const Shape shape{.instances = 50, .start = milliseconds(200), .stop = milliseconds(100), .min_healthy = milliseconds(100)};
  RollingApps rolling(shape);
  (void)rolling.Roll();
  const milliseconds floor = shape.instances * (shape.start + shape.min_healthy + shape.stop);
  Figure figure(rolling.RollMs() / static_cast<double>(floor.count()));
  figure.unit = "x";
  figure.n = shape.instances;
  return figure;
}

}  // namespace

Figures BenchLargeApp(const BenchSize& size) {
  Figures figures;
  const auto roll = [&](int instances) {
    const std::string row = "roll.one_app." + std::to_string(instances);
    const Figure figure = RollingApps({.instances = instances, .surge = 10}).Roll(row);
    figures[row] = figure;
    return *figure.cpu_service + *figure.cpu_postgres;
  };
  const int most = size.quick ? 1000 : size.large ? 10'000 : 2000;
  const double small = roll(most / 4);
  figures["growth.roll.one_app_ratio"] = roll(most) / small;
  return figures;
}

Figures BenchRolls(const BenchSize& size) {
  Figures figures;
  figures["roll.many"] = RollingApps({.apps = size.quick ? 200 : 1000}).Roll();
  figures["roll.many.4_instances"] = RollingApps({.apps = size.quick ? 200 : 1000, .instances = 4}).Roll();
  PutLatency(figures, 100);
  if (size.quick) return figures;
  for (const int apps : {1, 1000}) PutLatency(figures, apps);
  figures["roll.overhead"] = Overhead();
  return figures;
}

}  // namespace baton::bench
