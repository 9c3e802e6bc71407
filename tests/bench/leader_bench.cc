#include <signal.h>

#include <algorithm>
#include <chrono>

#include "tests/bench/bench.h"
#include "tools/stack/hello_app.h"
#include "tools/stack/stack.h"
#include "tools/stack/state_dir.h"

namespace baton::bench {
namespace {

using Steady = std::chrono::steady_clock;

constexpr int kLeaderRounds = 5;

// Two batonds, real processes; a client that has both addresses.
class Pair {
 public:
  Pair() : stack_({.dir = dir_.path(), .cells = 0, .batonds = 2}) {
    stack_.StartBatonds();
    stack::HelloApp app{.instances = 0, .program = "/bin/true"};
    stack_.api().Desire(stack::DesiredHello(app, stack::HelloDefinition(app, "v1")));
  }
  ~Pair() { stack_.Stop(); }

  // From the trouble to the next acknowledged write, in milliseconds.
  double After(int signal) {
    const std::size_t leader = stack_.api().Leader().value();
    Write();
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
    stack_.api().Update("hello", update);
  }

  stack::StateDir dir_;
  stack::Stack stack_;
  int writes_ = 0;
};

}  // namespace

Figures BenchLeader() {
  Figures figures;
  Pair pair;
  for (const auto& [name, signal] : {std::pair{"failover.kill9", SIGKILL}, std::pair{"failover.sigterm", SIGTERM}}) {
    std::vector<double> took;
    for (int i = 0; i < kLeaderRounds; ++i) took.push_back(pair.After(signal));
    std::ranges::sort(took);
    figures[std::string(name) + ".most_ms"] = took.back();
    figures[name] = MedianOf(took, "ms");
  }
  return figures;
}

}  // namespace baton::bench
