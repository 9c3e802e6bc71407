// What the page costs: baton-web beside a batond of many apps, and pages that are open.
#include <csignal>

#include "orchestrator/base/check.h"
#include "tests/bench/bench.h"
#include "tests/bench/calls.h"
#include "tests/bench/cpu_meter.h"
#include "tests/bench/many_apps.h"
#include "tests/bench/memory_meter.h"
#include "tests/bench/paced_calls.h"
#include "tests/bench/pages.h"
#include "tests/bench/shapes.h"
#include "tools/stack/free_port.h"
#include "tools/stack/stack.h"
#include "tools/stack/wait_for.h"

namespace baton::bench {
namespace {

using Steady = std::chrono::steady_clock;

constexpr int kMillion = 1'000'000;
constexpr int kChanging = 200;  // apps: all of them on the screen
constexpr int kPages = 100;
constexpr int kTurns = 3;
constexpr std::chrono::seconds kTurn{10};
const std::vector<std::string> kLongLease{"--cell-lease-ms", "3600000"};

double MsOf(Steady::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

class RunningBatonWeb {
 public:
  explicit RunningBatonWeb(Rig& rig)
      : port_(stack::FreePort()), log_(rig.Path("web-" + std::to_string(port_) + ".log")),
        program_({"baton-web",
                  {stack::OwnDirectory() + "/baton-web", "run", "--batond", rig.address(), "--listen",
                   "127.0.0.1:" + std::to_string(port_)},
                  log_}) {
    CHECK(stack::WaitFor(std::chrono::seconds(30), {},
                         [&] { return stack::LastLines(log_, 50).find("web_started") != std::string::npos; }));
  }
  int port() const { return port_; }
  pid_t pid() const { return program_.pid(); }

 private:
  const int port_;
  const std::string log_;
  stack::Program program_;
};

// From baton-web's start until a page shows all of them, and how long another page takes from then on.
void MeasureStart(Rig& rig, std::int64_t apps, const std::string& size, Figures& figures) {
  const auto began = Steady::now();
  const RunningBatonWeb web(rig);
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

// Apps that want an instance or none, of a kind that no cell has: rows change, and nothing is started.
std::string ChangingGuid(int number) { return "a-" + BenchGuid(number); }

void MakeChanging(Rig& rig) {
  const auto stub = v2::DesiredLRPs::NewStub(rig.channel());
  Calls::Make(kChanging, 16, [&](int i, const Calls::Done& done) {
    auto call = std::make_shared<OneCall<v2::DesireLRPRequest, v2::DesireLRPResponse>>();
    call->request = LightApp(ChangingGuid(i));
    call->request.mutable_desired_lrp()->set_instances(0);
    call->request.mutable_desired_lrp()->clear_routes();
    call->request.mutable_desired_lrp()->mutable_definition()->add_placement_tags("of-no-cell");
    stub->async()->DesireLRP(call->context.get(), &call->request, &call->response,
                             [call, done](const grpc::Status& status) { done(status.ok()); });
  });
}

struct Cost {
  double batond_ms = 0;  // CPU a change
  double web_percent = 0;
  double changes_per_s = 0;
};

// While so many changes a second are made, for a turn.
Cost UnderChanges(Rig& rig, const RunningBatonWeb& web, int per_second) {
  const auto stub = v2::DesiredLRPs::NewStub(rig.channel());
  std::atomic<int> made{0};
  const double batond = CpuSecondsOf(rig.batond_pid());
  const CpuMeter own;
  const double page = CpuSecondsOf(web.pid());
  PacedCalls calls(std::chrono::microseconds(1'000'000 / per_second), [&](int n, PacedCalls::Done done) {
    auto call = std::make_shared<OneCall<v2::UpdateDesiredLRPRequest, v2::UpdateDesiredLRPResponse>>();
    call->request.set_process_guid(ChangingGuid(n % kChanging));
    call->request.mutable_update()->set_instances(n / kChanging % 2 == 0 ? 1 : 0);
    stub->async()->UpdateDesiredLRP(call->context.get(), &call->request, &call->response,
                                    [call, done, &made](const grpc::Status& status) {
                                      CHECK(status.ok());
                                      ++made;
                                      done(std::nullopt);
                                    });
  });
  stack::Rest(kTurn, {});
  calls.Stop();
  const double wall = own.wall_seconds();
  return {.batond_ms = 1000 * (CpuSecondsOf(rig.batond_pid()) - batond) / made,
          .web_percent = 100 * (CpuSecondsOf(web.pid()) - page) / wall,
          .changes_per_s = made / wall};
}

// In turns, so that what else the machine does falls on both.
void MeasureOpenPages(Rig& rig, const RunningBatonWeb& web, Figures& figures) {
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

void MeasureChanges(Rig& rig, const RunningBatonWeb& web, Figures& figures) {
  Pages page(web.port(), 1);
  const std::int64_t before = page.Count("patch") + page.Count("window");
  const Cost cost = UnderChanges(rig, web, 1000);
  CHECK(page.Count("patch") + page.Count("window") > before);
  figures["web.changes_per_s"] = cost.changes_per_s;
  figures["web.changes_cpu_percent"] = cost.web_percent;
}

// Killed, and another one takes over: from the signal until the page says so, from the new one's first answer until the
// page goes on.
void MeasureAway(Rig& rig, const RunningBatonWeb& web, Figures& figures) {
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
  Clone(rig.postgres(), 0, apps);
  rig.StartBatond(kLongLease);
  MakeChanging(rig);
  rig.AwaitQuiet();
  MeasureStart(rig, apps + kChanging + 1, "", figures);
  {
    const RunningBatonWeb web(rig);
    MeasureOpenPages(rig, web, figures);
    MeasureChanges(rig, web, figures);
    MeasureAway(rig, web, figures);
  }
  if (!size.large) return figures;
  rig.StopBatond();
  Clone(rig.postgres(), apps, kMillion);
  rig.StartBatond(kLongLease);
  rig.AwaitQuiet();
  MeasureStart(rig, kMillion + kChanging + 1, "_1m", figures);
  return figures;
}

}  // namespace baton::bench
