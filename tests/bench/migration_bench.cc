#include <sys/resource.h>

#include <cstdio>

#include "orchestrator/model/check.h"
#include "schema/layouts.h"
#include "schema/legacy/copier.h"
#include "schema/legacy/rows.h"
#include "tests/bench/bench.h"
#include "tests/bench/cpu_meter.h"
#include "tests/bench/durable_postgres.h"
#include "tests/fakes/pg_fixture.h"

namespace baton {
namespace {

constexpr int kApps = 20'000;
constexpr int kInstances = 5;
constexpr int kBatch = 2'000;

// A kilobyte of run info, as an app of Cloud Foundry has.
LegacyApp App(int number) {
  LegacyApp app;
  char name[32];
  std::snprintf(name, sizeof name, "app-%06d", number);
  app.guid = ProcessGuid(name);
  app.domain = "cf-apps";
  app.log_guid = name;
  app.instances = kInstances;
  app.root_fs = "preloaded:cflinuxfs4";
  app.tag_epoch = name;
  app.run_info.add_ports(8080);
  auto& run = *app.run_info.mutable_action()->mutable_run_action();
  run.set_path("/tmp/lifecycle/launcher");
  run.set_user("vcap");
  for (int i = 0; i < 10; ++i) {
    auto& variable = *run.add_env();
    variable.set_name("NAME_" + std::to_string(i));
    variable.set_value(std::string(80, 'x'));
  }
  (*app.routes.mutable_routes())["cf-router"] =
      R"([{"hostnames":[")" + std::string(name) + R"(.example.com"],"port":8080}])";
  app.metric_tags.emplace()["source_id"].set_static_(name);
  for (int i = 0; i < kInstances; ++i) {
    LegacyInstance& lrp = app.actuals.emplace_back();
    lrp.index = i;
    lrp.domain = "cf-apps";
    lrp.state = "RUNNING";
    lrp.instance_guid = std::string(name) + "-" + std::to_string(i);
    lrp.cell_id = "cell-" + std::to_string((number + i) % 100);
    lrp.tag_epoch = lrp.instance_guid;
    lrp.net_info.set_address("10.0.0.1");
    lrp.net_info.add_ports()->set_container_port(8080);
  }
  return app;
}

void Within(Session& session, const std::function<void(Session&)>& body) {
  const SessionError error = session.Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    body(s);
    return true;
  });
  if (!error.ok()) std::fprintf(stderr, "%s\n", error.detail.c_str());
  CHECK(error.ok());
}

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
  Within(*session, MakeLegacyLayout);
  for (int from = 0; from < kApps; from += 500) {
    std::vector<LegacyApp> apps;
    for (int i = from; i < from + 500; ++i) apps.push_back(App(i));
    Within(*session, [&](Session& s) { InsertLegacyApps(s, apps); });
  }
  CHECK(session->RunAlone("VACUUM ANALYZE").ok());
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

}  // namespace baton
