#include <signal.h>

#include <algorithm>
#include <chrono>

#include "orchestrator/base/check.h"
#include "tests/bench/bench.h"
#include "tests/bench/many_apps.h"
#include "tools/stack/hello_app.h"
#include "tools/stack/http.h"
#include "tools/stack/stack.h"
#include "tools/stack/state_dir.h"

namespace baton::bench {
namespace {

using Steady = std::chrono::steady_clock;

constexpr int kLeaderRounds = 5;
constexpr int kManyApps = 10'000;
constexpr int kMillion = 1'000'000;
constexpr std::chrono::seconds kCopyWithin{180};  // of a million apps half a minute: it rests as long as it reads

// Two batonds, real processes; a client that has both addresses.
class Pair {
 public:
  Pair() : stack_({.dir = dir_.path(), .cells = 0, .batonds = 2}) {
    stack_.StartBatonds();
    stack::HelloApp app{.process_guid = "template", .instances = 0, .program = "/bin/true"};
    stack_.api().Desire(stack::DesiredHello(app, stack::HelloDefinition(app, "v1")));
  }
  // Without instances: there are no cells, and what a leader has to do for a million apps would be measured as well.
  void AddApps(int from, int to) { Clone(stack_.database_url(), from, to, /*instances=*/0); }
  ~Pair() { stack_.Stop(); }

  // From the trouble to the next acknowledged write, in milliseconds.
  double After(int signal) {
    const std::size_t leader = stack_.api().Leader().value();
    Write();
    CHECK(stack::WaitFor(kCopyWithin, {}, [&] { return HasCopy(1 - leader); }));
    const auto began = Steady::now();
    stack_.batond(leader).Signal(signal);
    if (signal == SIGKILL) stack_.batond(leader).Kill();
    Write();
    const double took = std::chrono::duration<double, std::milli>(Steady::now() - began).count();
    (void)stack_.batond(leader).WaitForEnd(std::chrono::seconds(10));
    stack_.StartBatond(leader);
    return took;
  }

 private:
  void Write() {
    v2::DesiredLRPUpdate update;
    update.set_annotation(std::to_string(++writes_));
    stack_.api().Update("template", update);
  }
  // What has stood by for a while has it.
  bool HasCopy(std::size_t standby) {
    return stack::HttpGet(stack_.metrics_address(standby), "localhost", "/metrics")
               .body.find("\nbaton_standby_copy 1") != std::string::npos;
  }

  stack::StateDir dir_;
  stack::Stack stack_;
  int writes_ = 0;
};

}  // namespace

Figures BenchLeader(const BenchSize& size) {
  Figures figures;
  Pair pair;
  const auto measure = [&](const std::string& name, int signal, int rounds = kLeaderRounds) {
    std::vector<double> took;
    for (int i = 0; i < rounds; ++i) took.push_back(pair.After(signal));
    std::ranges::sort(took);
    figures[name + ".most_ms"] = took.back();
    figures[name] = MedianOf(took, "ms");
  };
  measure("failover.kill9", SIGKILL);
  measure("failover.sigterm", SIGTERM);
  pair.AddApps(0, kManyApps);
  measure("failover.kill9.10k_apps", SIGKILL);
  measure("failover.sigterm.10k_apps", SIGTERM);
  if (!size.large) return figures;
  pair.AddApps(kManyApps, kMillion);
  measure("failover.kill9.1m_apps", SIGKILL, /*rounds=*/3);
  measure("failover.sigterm.1m_apps", SIGTERM, /*rounds=*/3);
  return figures;
}

}  // namespace baton::bench
