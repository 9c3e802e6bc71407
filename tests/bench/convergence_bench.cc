#include <algorithm>
#include <chrono>
#include <cstdio>

#include "baton/v2/admin_service.grpc.pb.h"
#include "convergence/plan.h"
#include "orchestrator/placement/fleet.h"
#include "orchestrator/roll/rules/collect.h"
#include "sql/read/pg_reader.h"
#include "sql/store/pg_collector.h"
#include "tests/bench/bench.h"
#include "tests/bench/child.h"
#include "tests/bench/durable_postgres.h"
#include "tests/bench/many_apps.h"
#include "tests/bench/memory_meter.h"
#include "tests/bench/rig.h"
#include "tests/bench/shapes.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/silent_log.h"
#include "tests/fakes/standing_lease.h"
#include "tests/server/running_service.h"
#include "tests/server/scripted_cell.h"
#include "tools/stack/stack.h"

namespace baton::bench {
namespace {

using Steady = std::chrono::steady_clock;

double MsSince(Steady::time_point began) {
  return std::chrono::duration<double, std::milli>(Steady::now() - began).count();
}

template <class Body>
Figure MedianMs(int times, Body&& body) {
  std::vector<double> took;
  for (int i = 0; i < times; ++i) {
    const auto began = Steady::now();
    body();
    took.push_back(MsSince(began));
  }
  return MedianOf(std::move(took), "ms");
}

std::string Short(int n) {
  return n >= 1'000'000 ? std::to_string(n / 1'000'000) + "m" : std::to_string(n / 1000) + "k";
}

std::unique_ptr<Session> OpenAsBatondDoes(const std::string& url) {
  auto session = Session::Open(url, PlainCipher(), Session::Plans::kPoints);
  CHECK(session.ok());
  return *std::move(session);
}

class Sweeps {
 public:
  Sweeps(DurablePostgres& postgres, Figures& figures)
      : postgres_(postgres), figures_(figures), session_(OpenAsBatondDoes(postgres.url())), reader_(*session_, log_) {}

  // Everything is looked at, and nothing is to be done.
  void Full(int apps) {
    figures_["converge.full." + Short(apps)] = MedianMs(5, [&] { CHECK(Pass(PassKind::kCount) == 0); });
  }

  // A thousandth of the instances has changed.
  void Incremental(int apps) {
    postgres_.Sql(
        "UPDATE actual_lrps SET state = 'CRASHED', cell_id = '', instance_guid = '', routable_since = NULL, "
        "crash_count = 1 WHERE actual_id IN (SELECT 'id-' || n * 1000 FROM generate_series(0, " +
        std::to_string(apps / 1000 - 1) + ") AS n)");
    figures_["converge.incremental." + Short(apps)] = MedianMs(9, [&] { CHECK(Pass(PassKind::kIncremental) == static_cast<std::size_t>(apps / 1000)); });
  }

  // What Incremental has changed is as it was.
  void Mend() {
    postgres_.Sql(
        "UPDATE actual_lrps a SET state = 'RUNNING', cell_id = t.cell_id, instance_guid = t.instance_guid, routable_since = "
        "t.routable_since, crash_count = 0 FROM actual_lrps t WHERE t.process_guid = 'template' AND a.state = 'CRASHED'");
    postgres_.Vacuum();
    CHECK(Pass(PassKind::kIncremental) == 0);
  }

  // None of the definitions may be collected.
  void Look(int apps) {
    figures_["gc.definitions." + Short(apps)] = MedianMs(5, [&] { CHECK(Unneeded().empty()); });
  }

  // All of them, as the operator's tool prints them: one a line.
  void Dump(int apps) {
    const std::vector<std::string> command{stack::OwnDirectory() + "/baton-definitions", "--database", postgres_.url(),
                                           "-o", "json"};
    std::vector<double> took;
    Figure figure;
    for (int i = 0; i < 3; ++i) {
      const ChildUsage dump = RunChild(command, [](const std::string& line) { return line.find("\"active\"") != line.npos; });
      CHECK(dump.right == apps + 1 && dump.lines == dump.right + 2);  // what opens the list, and what closes it
      took.push_back(dump.wall_ms);
      figure.rss_mb = std::max(figure.rss_mb.value_or(0), dump.rss_mb);
      figure.cpu_client = dump.cpu_ms;
    }
    figure.value = Quantile(took, 0.5);
    figure.unit = "ms";
    figure.n = apps + 1;
    figures_["dump." + Short(apps)] = figure;
  }

  // A tenth of the definitions is needed by nothing.
  void Collect(int apps) {
    const std::string name = "gc.definitions." + Short(apps);
    const StandingLease lease(postgres_.url(), "bench");
    postgres_.Sql(
        "DO $do$ DECLARE cols text; BEGIN SELECT string_agg(quote_ident(column_name), ', ') INTO cols FROM "
        "information_schema.columns WHERE table_name = 'definitions' AND table_schema = 'public' AND "
        "column_name NOT IN ('definition_identifier', 'proven_at'); EXECUTE format('INSERT INTO definitions "
        "(definition_identifier, %1$s) SELECT ''old'', %1$s FROM definitions WHERE process_guid LIKE "
        "''app-%%0'' ', cols); END $do$; ANALYZE definitions");
    PgCollector collector(postgres_.url(), log_);
    collector.Lead({"bench", 1});
    const auto began = Steady::now();
    const auto unneeded = Unneeded();
    figures_[name + ".look_ms"] = MsSince(began);
    CHECK(unneeded.size() >= static_cast<std::size_t>(apps / 10 - 1));
    for (std::size_t at = 0; at < unneeded.size(); at += 1000) {
      const auto first = unneeded.begin() + static_cast<std::ptrdiff_t>(at);
      const auto last = first + static_cast<std::ptrdiff_t>(std::min<std::size_t>(1000, unneeded.size() - at));
      const auto deleted = collector.DeleteDefinitions({first, last});
      CHECK(deleted.ok() && *deleted == last - first);
    }
    figures_[name + ".collected_per_s"] = static_cast<double>(unneeded.size()) / MsSince(began) * 1000;
  }

 private:
  std::size_t Pass(PassKind kind) {
    const auto view = reader_.ReadSweep(kind);
    CHECK(view.ok());
    return FindOut(*view, {}).size();
  }
  std::vector<Collector::Unneeded> Unneeded() {
    const auto apps = reader_.ListCollectable(ProcessGuid(), 2, 100'000);
    CHECK(apps.ok());
    std::vector<Collector::Unneeded> unneeded;
    for (const AppState& app : *apps) {
      for (const DefinitionKey& key : Unreferenced(app, 2)) unneeded.push_back({app.guid, key});
    }
    return unneeded;
  }

  DurablePostgres& postgres_;
  Figures& figures_;
  SilentLog log_;
  std::unique_ptr<Session> session_;
  PgReader reader_;
};

// 40,000 apps, a quarter of them on cells that are lost: until each has a new row.
void Repair(Figures& figures) {
  DurablePostgres postgres;
  MakeTemplate(postgres.url(), LightApp("template"));
  Clone(postgres.url(), 0, 40'000);
  constexpr int kLost = 10'000;
  batond::ServiceOptions options;
  options.converge_every = milliseconds(100);
  RunningService service(postgres.url(), options);
  service.WaitForLead();
  ScriptedCell cell(service, "large");  // takes all of it, and claims nothing
  for (const char* ability : kAbilities) cell.hello().add_abilities(ability);
  cell.hello().mutable_capacity()->set_memory_mb(1'000'000'000);
  cell.hello().mutable_capacity()->set_containers(1'000'000);
  cell.Hello();
  cell.KeepBeating();
  v2::ConvergenceRequest run;  // what a new leader does first is over
  run.set_run(true);
  v2::ConvergenceResponse report;
  CHECK(service.admin->Convergence(Context().get(), run, &report).ok());
  postgres.Sql(
      "UPDATE cells SET missing_since = now(), lease_expires_at = now() WHERE cell_id IN "
      "(SELECT 'cell-' || n FROM generate_series(40, 79) AS n)");
  const auto began = Steady::now();
  const std::string all = "(SELECT count(*) AS n FROM actual_lrps WHERE state = 'UNCLAIMED') x WHERE n >= ";
  CHECK(Eventually([&] { return Exists(postgres.url(), all + std::to_string(kLost)); }, std::chrono::seconds(60)));
  Figure figure(kLost / (MsSince(began) / 1000));
  figure.unit = "1/s";
  figure.n = kLost;
  figures["converge.repair"] = figure;
}

void Placements(Figures& figures) {
  Fleet fleet;
  for (int i = 0; i < 1000; ++i) {
    CellOffer cell;
    cell.id = CellId("cell-" + std::to_string(i));
    cell.zone = "z" + std::to_string(i % 3);
    cell.stacks = {"preloaded:cflinuxfs4"};
    cell.abilities = {"run", "monitor"};
    fleet.Set(cell, {.memory_mb = 64'000, .disk_mb = 64'000, .pids = 0, .containers = 250});
  }
  Definition definition;
  definition.content_hash = "h";
  definition.resources = {.memory_mb = 256, .disk_mb = 256, .pids = 0, .containers = 1};
  definition.root_fs = "preloaded:cflinuxfs4";
  definition.needs = {"run"};
  const auto began = Steady::now();
  for (int i = 0; i < 10'000; ++i) {
    const ProcessGuid app("app-" + std::to_string(i % 1000));
    const Placement placement = fleet.Place(definition, app, CellId(), {});
    CHECK(placement.cell.has_value());
    fleet.Hold(*placement.cell, ActualId("id-" + std::to_string(i)), app, definition.resources);
  }
  figures["placement.1000_cells.10k_ms"] = MsSince(began);
}

}  // namespace

// A batond that begins to lead so many: until it serves, and its memory when it has looked at everything once.
void StartOn(Rig& rig, const std::string& size, int apps, Figures& figures) {
  Figure figure(rig.StartBatond({"--cell-lease-ms", "3600000"}));
  figure.unit = "ms";
  v2::ConvergenceRequest run;
  run.set_run(true);
  v2::ConvergenceResponse report;
  grpc::ClientContext context;
  CHECK(v2::Admin::NewStub(rig.channel())->Convergence(&context, run, &report).ok());
  figure.rss_mb = PeakMemoryMb(rig.batond_pid());
  figures["startup." + size + "_apps"] = figure;
  figures["startup." + size + "_apps.app_kb"] = *figure.rss_mb * 1024 / apps;
  rig.StopBatond();
}

Figures BenchConvergence(const BenchSize& size) {
  Figures figures;
  Placements(figures);
  {
    Rig rig;
    DurablePostgres& postgres = rig.postgres();
    MakeTemplate(postgres.url(), LightApp("template"));
    Sweeps sweeps(postgres, figures);
    int cloned = 0;
    for (const int apps : {25'000, 62'000, 100'000, 250'000, 1'000'000}) {
      if (apps == 1'000'000 && !size.large) break;
      Clone(postgres.url(), cloned, apps);
      cloned = apps;
      if (apps != 62'000) sweeps.Full(apps);
      if (apps == 62'000 || apps == 250'000) {
        sweeps.Look(apps);
        sweeps.Dump(apps);
      }
      if (apps == 250'000) {
        sweeps.Collect(apps);
        sweeps.Incremental(apps);
        sweeps.Mend();
        StartOn(rig, "250k", apps, figures);
      }
    }
    if (size.large) StartOn(rig, "1m", cloned, figures);
  }
  PutGrowth(figures, "converge.full", "25k", "100k", 4);
  PutGrowth(figures, "gc.definitions", "62k", "250k", 250.0 / 62);
  PutGrowth(figures, "dump", "62k", "250k", 250.0 / 62);
  Repair(figures);
  return figures;
}

}  // namespace baton::bench
