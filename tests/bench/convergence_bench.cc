#include <algorithm>
#include <chrono>
#include <cstdio>
#include <future>
#include <thread>

#include "convergence/collect.h"
#include "convergence/plan.h"
#include "orchestrator/placement/fleet.h"
#include "sql/pg_collector.h"
#include "sql/pg_reader.h"
#include "tests/bench/bench.h"
#include "tests/bench/durable_postgres.h"
#include "tests/bench/many_apps.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/silent_log.h"
#include "tests/server/running_service.h"
#include "tests/server/scripted_cell.h"

namespace baton {
namespace {

using Steady = std::chrono::steady_clock;

double MsSince(Steady::time_point began) {
  return std::chrono::duration<double, std::milli>(Steady::now() - began).count();
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

template <class Body>
double MedianMs(int times, Body&& body) {
  std::vector<double> took;
  for (int i = 0; i < times; ++i) {
    const auto began = Steady::now();
    body();
    took.push_back(MsSince(began));
  }
  return Median(took);
}

std::string Short(int n) {
  return n >= 1'000'000 ? std::to_string(n / 1'000'000) + "m" : std::to_string(n / 1000) + "k";
}

class Sweeps {
 public:
  Sweeps(DurablePostgres& postgres, Figures& figures)
      : postgres_(postgres), figures_(figures), session_(OpenSession(postgres.url())), reader_(*session_, log_) {}

  // Everything is looked at, and nothing is to be done.
  void Full(int apps) {
    figures_["converge.full." + Short(apps) + "_ms"] = MedianMs(5, [&] { CHECK(Pass(PassKind::kCount) == 0); });
  }

  // A thousandth of the instances has changed.
  void Incremental(int apps) {
    postgres_.Sql(
        "UPDATE actual_lrps SET state = 'CRASHED', cell_id = '', instance_guid = '', routable_since = NULL, "
        "crash_count = 1 WHERE actual_id IN (SELECT 'id-' || n * 1000 FROM generate_series(0, " +
        std::to_string(apps / 1000 - 1) + ") AS n)");
    figures_["converge.incremental." + Short(apps) + "_ms"] =
        MedianMs(9, [&] { CHECK(Pass(PassKind::kIncremental) == static_cast<std::size_t>(apps / 1000)); });
  }

  // A tenth of the definitions is needed by nothing.
  void Collect(int apps) {
    const std::string name = "gc.definitions." + Short(apps);
    figures_[name + ".nothing_ms"] = MedianMs(5, [&] { CHECK(Unneeded().empty()); });
    postgres_.Sql(
        "INSERT INTO leases VALUES ('bench', 1, 'bench', '', now(), now() + interval '1 hour');"
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
  MakeTemplate(postgres.url());
  Clone(postgres, 0, 40'000);
  constexpr int kLost = 10'000;
  ServiceOptions options;
  options.converge_every = milliseconds(100);
  RunningService service(postgres.url(), options);
  service.WaitForLead();
  ScriptedCell cell(service, "large");  // takes all of it, and claims nothing
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
  figures["converge.repair_per_s"] = kLost / (MsSince(began) / 1000);
}

class Subscribers {
 public:
  Subscribers(RunningService& service, int count, std::size_t events) {
    for (int i = 0; i < count; ++i) threads_.emplace_back([this, &service, events] { Read(service, events); });
  }
  int ready() const { return ready_; }
  // Milliseconds from the commit's own time to the subscriber's hands, sorted.
  std::vector<double> Latencies() {
    for (auto& thread : threads_) thread.join();
    std::ranges::sort(latencies_);
    return std::move(latencies_);
  }

 private:
  void Read(RunningService& service, std::size_t events) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    v2::SubscribeRequest request;
    request.add_kinds("desired_changed");
    const auto stream = service.events->Subscribe(&context, request);
    std::vector<double> own;
    bool counted = false;
    for (v2::SubscribeResponse answer; own.size() < events && stream->Read(&answer);) {
      if (!std::exchange(counted, true)) ++ready_;
      const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(
          std::chrono::system_clock::now().time_since_epoch());
      for (const auto& event : answer.events()) own.push_back(static_cast<double>(now.count() - event.at()) / 1e6);
    }
    context.TryCancel();
    const std::lock_guard lock(mutex_);
    latencies_.insert(latencies_.end(), own.begin(), own.end());
  }

  std::mutex mutex_;
  std::vector<double> latencies_;
  std::atomic<int> ready_{0};
  std::vector<std::thread> threads_;
};

// 2,000 changes a second, 20 subscribers.
void Delivery(Figures& figures) {
  DurablePostgres postgres;
  RunningService service(postgres.url());
  service.WaitForLead();
  constexpr int kApps = 64;
  constexpr int kSubscribers = 20;
  constexpr int kPerSecond = 2'000;
  constexpr int kChanges = 3 * kPerSecond;
  for (int i = 0; i < kApps; ++i) {
    CHECK(service.Desire(RunningService::SmallApp("app-" + std::to_string(i), 0)).ok());
  }
  Subscribers subscribers(service, kSubscribers, kChanges);
  CHECK(Eventually([&] { return subscribers.ready() == kSubscribers; }));
  struct One {
    grpc::ClientContext context;
    v2::UpdateDesiredLRPRequest request;
    v2::UpdateDesiredLRPResponse response;
  };
  const auto began = Steady::now();
  for (int i = 0; i < kChanges; ++i) {
    auto one = std::make_shared<One>();
    one->request.set_process_guid("app-" + std::to_string(i % kApps));
    one->request.mutable_update()->set_annotation("n" + std::to_string(i));
    service.apps->async()->UpdateDesiredLRP(&one->context, &one->request, &one->response,
                                            [one](const grpc::Status& status) { CHECK(status.ok()); });
    std::promise<void> never;  // an even pace
    (void)never.get_future().wait_until(began + std::chrono::microseconds(1'000'000LL * i / kPerSecond));
  }
  const std::vector<double> latencies = subscribers.Latencies();
  CHECK(!latencies.empty());
  figures["events.delivery.p50_ms"] = latencies[latencies.size() / 2];
  figures["events.delivery.p99_ms"] = latencies[latencies.size() * 99 / 100];
  figures["events.delivery.lost"] = 1.0 * kSubscribers * kChanges - static_cast<double>(latencies.size());
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

Figures BenchConvergence(bool large) {
  Figures figures;
  Placements(figures);
  {
    DurablePostgres postgres;
    MakeTemplate(postgres.url());
    Sweeps sweeps(postgres, figures);
    int cloned = 0;
    for (const int apps : {25'000, 100'000, 250'000, 1'000'000}) {
      if (apps == 1'000'000 && !large) break;
      Clone(postgres, cloned, apps);
      cloned = apps;
      sweeps.Full(apps);
      if (apps == 250'000) sweeps.Collect(apps);
      if (apps == 250'000 && !large) sweeps.Incremental(apps);
    }
  }
  Repair(figures);
  Delivery(figures);
  return figures;
}

}  // namespace baton
