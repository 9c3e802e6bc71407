// What cells report over their streams: many instances that are claimed and started at once.
#include <chrono>
#include <cstdio>

#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "orchestrator/base/check.h"
#include "tests/bench/bench.h"
#include "tests/bench/calls.h"
#include "tests/bench/cpu_meter.h"
#include "tests/bench/reporters.h"
#include "tests/bench/shapes.h"

namespace baton::bench {
namespace {

constexpr int kReportsCells = 4;
constexpr int kReportsCallers = 256;
// Instances of a round: so few that all are ordered well within the time that a cell has to claim one.
constexpr int kRound = 2000;

using Desired = OneCall<v2::DesireLRPRequest, v2::DesireLRPResponse>;

class ReportedApps {
 public:
  explicit ReportedApps(int instances) : instances_(instances) {
    rig_.StartBatond();
    desired_ = v2::DesiredLRPs::NewStub(rig_.channel());
    reporters_ = std::make_unique<Reporters>(rig_, kReportsCells, kRound);
  }

  // In pairs of claim and start a second: of their answers, and beside it until what follows from them is done, too.
  Figures Measure(const std::string& name, int rounds) {
    Figure pairs;
    double told_ms = 0, settled_ms = 0;
    for (int i = 0; i < rounds; ++i) {
      Desire();
      reporters_->AwaitHeld();
      const Usage usage(rig_);
      const double cells = CpuSecondsOf(reporters_->pid());
      reporters_->Go();
      const Reporters::Told told = reporters_->AwaitTold();
      rig_.AwaitSql("NOT EXISTS (SELECT FROM rolls)");
      told_ms += told.ms;
      settled_ms += usage.wall_seconds() * 1000;
      Figure round;
      usage.Put(round, kRound);
      // Everybody's, with the planner's passes that the starts lead to.
      Add(pairs.cpu_service, *round.cpu_service / rounds);
      Add(pairs.cpu_postgres, *round.cpu_postgres / rounds);
      Add(pairs.cpu_client, (*round.cpu_client + (CpuSecondsOf(reporters_->pid()) - cells) * 1000 / kRound) / rounds);
      pairs.rss_mb = std::max(pairs.rss_mb.value_or(0), *round.rss_mb);
      pairs.p50 = told.p50;
      pairs.p99 = told.p99;
      Check(told, (i + 1) * kRound);
    }
    pairs.n = rounds * kRound;
    pairs.value = static_cast<double>(pairs.n) / told_ms * 1000;
    pairs.unit = "1/s";
    Figure settled(static_cast<double>(pairs.n) / settled_ms * 1000);
    settled.unit = "1/s";
    settled.n = pairs.n;
    return {{name, pairs}, {name + ".settled", settled}};
  }

 private:
  static void Add(std::optional<double>& sum, double more) { sum = sum.value_or(0) + more; }

  void Desire() {
    const int apps = kRound / instances_;
    Calls::Make(apps, kReportsCallers, [&](int i, const Calls::Done& done) {
      auto call = std::make_shared<Desired>();
      call->request = LightApp(BenchGuid(apps_ + i));
      call->request.mutable_desired_lrp()->set_instances(instances_);
      desired_->async()->DesireLRP(call->context.get(), &call->request, &call->response,
                                   [call, done](const grpc::Status& status) { done(status.ok()); });
    });
    apps_ += apps;
  }

  // Each instance is in the state that was reported last, by him who reported it; none was lost, none written twice.
  void Check(const Reporters::Told& told, std::int64_t instances) {
    const std::int64_t answers = 2 * instances + told.again;
    const bool answered = told.refused == 0 && told.unknown == 0 && told.answers == answers;
    const std::int64_t rows = rig_.Number("SELECT count(*) FROM actual_lrps");
    // A row is made, claimed, started, and with the start or after it settled, each once: its tag counts from 0.
    const std::int64_t right = rig_.Number(
        "SELECT count(*) FROM actual_lrps WHERE state = 'RUNNING' AND presence = 'ORDINARY' AND routable_since IS NOT NULL "
        "AND zone = 'z1' AND starts_with(instance_guid, cell_id || ':' || actual_id || ':') AND modification_tag_index IN (2, 3)");
    const std::int64_t finished = rig_.Number("SELECT count(*) FROM roll_history WHERE state = 'COMPLETED'");
    if (answered && rows == instances && right == instances && finished == apps_) return;
    std::fprintf(stderr,
                 "of %lld instances: %lld rows, %lld right; of %d rolls %lld finished; %lld answers, %lld refused, %lld again, "
                 "%lld unknown\n",
                 static_cast<long long>(instances), static_cast<long long>(rows), static_cast<long long>(right), apps_,
                 static_cast<long long>(finished), static_cast<long long>(told.answers),
                 static_cast<long long>(told.refused), static_cast<long long>(told.again),
                 static_cast<long long>(told.unknown));
    CHECK(false);
  }

  const int instances_;  // of each app
  int apps_ = 0;
  Rig rig_;
  std::unique_ptr<v2::DesiredLRPs::Stub> desired_;
  std::unique_ptr<Reporters> reporters_;
};

}  // namespace

Figures BenchReports(const BenchSize& size) {
  const int rounds = size.quick ? 3 : 10;
  Figures figures = ReportedApps(1).Measure("lifecycle.report.stream", rounds);
  figures.merge(ReportedApps(100).Measure("lifecycle.report.stream.x100", rounds));
  return figures;
}

}  // namespace baton::bench
