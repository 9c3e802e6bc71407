// What the page costs: baton-web beside a batond of many apps, and pages that are open.
#include <csignal>

#include "orchestrator/base/check.h"
#include "tests/bench/bench.h"
#include "tests/bench/changing_apps.h"
#include "tests/bench/cpu_meter.h"
#include "tests/bench/many_apps.h"
#include "tests/bench/memory_meter.h"
#include "tests/bench/pages.h"
#include "tests/bench/running_page.h"
#include "tests/bench/shapes.h"
#include "tools/stack/wait_for.h"

namespace baton::bench {
namespace {

using Steady = std::chrono::steady_clock;

constexpr int kMillion = 1'000'000;
constexpr int kInstances = 10;  // of each app, but of the million
constexpr int kPages = 100;
constexpr int kTurns = 3;
constexpr std::chrono::seconds kTurn{10};
const std::vector<std::string> kLongLease{"--cell-lease-ms", "3600000"};

double MsOf(Steady::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

// From baton-web's start until a page shows all of them, and how long another page takes from then on.
void MeasureStart(Rig& rig, std::int64_t apps, const std::string& size, Figures& figures) {
  const auto began = Steady::now();
  const RunningPage web(rig);
  {
    Pages page(web.port(), 1);
    CHECK(stack::WaitFor(std::chrono::seconds(120), {}, [&] { return page.total() >= apps; }));
  }
  figures["web.start" + size + "_ms"] = MsOf(Steady::now() - began);
  const auto opened = Steady::now();
  Pages page(web.port(), 1);
  CHECK(page.total() >= apps);
  figures["web.open" + size + "_ms"] = MsOf(Steady::now() - opened);
  figures["web.memory" + size + "_mb"] = MemoryMb(web.pid());
}

struct Cost {
  double batond_ms = 0;  // CPU a change
  double web_percent = 0;
  double changes_per_s = 0;
};

// While so many changes a second are made, for a turn.
Cost UnderChanges(Rig& rig, const RunningPage& web, int per_second) {
  const double batond = CpuSecondsOf(rig.batond_pid());
  const CpuMeter own;
  const double page = CpuSecondsOf(web.pid());
  ChangingApps changes(rig, per_second);
  stack::Rest(kTurn, {});
  changes.Stop();
  const double wall = own.wall_seconds();
  return {.batond_ms = 1000 * (CpuSecondsOf(rig.batond_pid()) - batond) / changes.made(),
          .web_percent = 100 * (CpuSecondsOf(web.pid()) - page) / wall,
          .changes_per_s = changes.made() / wall};
}

// In turns, so that what else the machine does falls on both.
void MeasureOpenPages(Rig& rig, const RunningPage& web, Figures& figures) {
  std::vector<double> one, many;
  for (int turn = 0; turn < kTurns; ++turn) {
    for (std::vector<double>* costs : {&one, &many}) {
      const Pages pages(web.port(), costs == &one ? 1 : kPages);
      costs->push_back(UnderChanges(rig, web, 300).batond_ms);
    }
  }
  const double at_one = Quantile(one, 0.5);
  figures["web.batond_cpu_100_pages_ratio"] = Quantile(many, 0.5) / at_one;
  figures["web.batond_cpu_ms"] = at_one;
}

void MeasureChanges(Rig& rig, const RunningPage& web, Figures& figures) {
  Pages page(web.port(), 1);
  const std::int64_t before = page.Count("patch") + page.Count("window");
  const Cost cost = UnderChanges(rig, web, 1000);
  CHECK(page.Count("patch") + page.Count("window") > before);
  figures["web.changes_per_s"] = cost.changes_per_s;
  figures["web.changes_cpu_percent"] = cost.web_percent;
}

// Killed, and another one takes over: from the signal until the page says so, from the new one's first answer until the
// page goes on.
void MeasureAway(Rig& rig, const RunningPage& web, Figures& figures) {
  Pages page(web.port(), 1);
  const auto killed = Steady::now();
  CHECK(kill(rig.batond_pid(), SIGKILL) == 0);
  figures["web.away_ms"] = MsOf(page.Await("away", 1) - killed);
  rig.StopBatond();
  rig.StartBatond(kLongLease);
  const auto leads = Steady::now();
  figures["web.back_ms"] = MsOf(page.Await("back", 1) - leads);
}

}  // namespace

Figures BenchWeb(const BenchSize& size) {
  const int apps = size.quick ? 2000 : 10'000;
  Figures figures;
  Rig rig;
  MakeTemplate(rig.postgres().url(), LightApp("template"));
  Clone(rig.postgres().url(), 0, apps, kInstances);
  rig.StartBatond(kLongLease);
  MakeChangingApps(rig);
  rig.AwaitQuiet();
  MeasureStart(rig, apps + kChangingApps + 1, "", figures);
  {
    const RunningPage web(rig);
    MeasureOpenPages(rig, web, figures);
    MeasureChanges(rig, web, figures);
    MeasureAway(rig, web, figures);
  }
  if (!size.large) return figures;
  rig.StopBatond();
  Clone(rig.postgres().url(), apps, kMillion);
  rig.StartBatond(kLongLease);
  rig.AwaitQuiet();
  MeasureStart(rig, kMillion + kChangingApps + 1, "_1m", figures);
  return figures;
}

}  // namespace baton::bench
