#include <sys/resource.h>

#include "orchestrator/base/check.h"
#include "schema/layouts.h"
#include "schema/legacy/copier.h"
#include "tests/bench/bench.h"
#include "tests/bench/cpu_meter.h"
#include "tests/bench/durable_postgres.h"
#include "tests/bench/legacy_apps.h"
#include "tests/fakes/pg_fixture.h"

namespace baton::bench {
namespace {

constexpr int kMigrationApps = 20'000;
constexpr int kBatch = 2'000;

double PeakMiB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

Figures BenchMigration() {
  DurablePostgres postgres;
  CHECK(OpenSession(postgres.url())->RunAlone("CREATE DATABASE legacy").ok());
  std::string url = postgres.url();
  const auto session = OpenSession(url.replace(url.find("dbname=baton"), 12, "dbname=legacy"));
  MakeLegacyApps(*session, kMigrationApps);
  Within(*session, MakeTargetShape);
  const double memory_before = PeakMiB();
  LegacyCopier copier;
  CopyBatch batch;
  double rows = 0;
  const CpuMeter meter;
  while (!batch.done) {
    Within(*session, [&](Session& s) { batch = copier.Next(s, batch.checkpoint, kBatch); });
    CHECK(batch.faults.empty());
    rows += static_cast<double>(batch.rows);
  }
  return {{"migrate.legacy.lrps_per_s", rows / meter.wall_seconds()},
          {"migrate.legacy.ms_per_1000", meter.wall_seconds() * 1e6 / rows},
          {"migrate.legacy.cpu_ms_per_1000", meter.cpu_seconds() * 1e6 / rows},
          {"migrate.legacy.more_memory_mb", PeakMiB() - memory_before}};
}

}  // namespace baton::bench
