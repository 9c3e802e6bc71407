// A thousand apps in the middle of their rolls, and the leader is killed: until something of each roll was committed again,
// a step or an instance's report.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>

#include "orchestrator/base/check.h"
#include "tests/bench/bench.h"
#include "tests/bench/shapes.h"
#include "tests/fakes/pg_fixture.h"
#include "tools/stack/hello_app.h"
#include "tools/stack/stack.h"
#include "tools/stack/state_dir.h"
#include "tools/stack/wait_for.h"

namespace baton::bench {
namespace {

constexpr int kRecoverApps = 1000;
constexpr int kRecoverInstances = 10;
constexpr int kRecoverCallers = 8;
constexpr int kRecoverRounds = 3;
constexpr std::chrono::seconds kRecoverPatience{300};

// A slot is proven by the time another leads: every roll has something to do then.
stack::HelloApp RecoverApp(int i) {
  return {.process_guid = "app-" + std::to_string(i),
          .hostname = {},
          .instances = kRecoverInstances,
          .program = "/bin/true",
          .min_healthy_ms = 2000};
}

class ManyRolls {
 public:
  ManyRolls()
      : stack_({.dir = dir_.path(), .cells = 0, .batonds = 2, .log_level = "warn"}) {
    stack_.StartBatonds();
    std::vector<std::string> command{stack::OwnDirectory() + "/baton-bench-cells", dir_.path() + "/sim", "10", "0",
                                     "0"};
    for (const std::string& address : stack_.api_addresses()) command.push_back(address);
    cells_ = std::make_unique<stack::Program>(stack::Program::Start{"cells", command, dir_.path() + "/sim.log"});
    ForEachApp([](stack::Api& api, int i) {
      v2::DesiredLRP app = stack::DesiredHello(RecoverApp(i), SimulatedHello(RecoverApp(i), "v1"));
      app.clear_routes();
      api.Desire(app);
    });
    AwaitNoRolls();
  }
  ~ManyRolls() {
    cells_.reset();
    stack_.Stop();
  }

  // Milliseconds from kill -9 to the first commit after it for the roll that had to wait longest.
  double Round(const std::string& version) {
    ForEachApp([&](stack::Api& api, int i) {
      api.Update(RecoverApp(i).process_guid, stack::UpdateTo(SimulatedHello(RecoverApp(i), version)));
    });
    const std::int64_t open = Number("SELECT count(*) FROM rolls");
    const std::size_t leader = stack_.api().Leader().value();
    const std::string killed = Run("SELECT clock_timestamp()")[0].Text();
    stack_.KillBatond(leader);
    // What the one that was killed had committed until then is behind `sequence`.
    Run("DROP TABLE IF EXISTS bench_rolls; CREATE TABLE bench_rolls AS SELECT roll_id, process_guid, '" + killed +
        "'::timestamptz AS killed, (SELECT max(sequence) FROM events) AS sequence FROM rolls");
    const std::string waiting =
        "SELECT count(*) FROM bench_rolls b WHERE NOT EXISTS (SELECT FROM events e WHERE e.process_guid = b.process_guid "
        "AND e.sequence > b.sequence)";
    CHECK(stack::WaitFor(kRecoverPatience, {}, [&] { return Number(waiting) == 0; }));
    const std::int64_t took = Number(
        "SELECT max(1000 * extract(epoch FROM first - killed))::bigint FROM (SELECT b.killed, min(e.at) AS first FROM "
        "bench_rolls b JOIN events e USING (process_guid) WHERE e.sequence > b.sequence GROUP BY b.roll_id, b.killed) AS t");
    std::printf("recover: %lld open rolls, all moving after %lld ms\n", static_cast<long long>(open),
                static_cast<long long>(took));
    CHECK(open > kRecoverApps * 9 / 10);
    stack_.StartBatond(leader);
    AwaitNoRolls();
    return static_cast<double>(took);
  }

 private:
  void ForEachApp(const std::function<void(stack::Api&, int)>& call) {
    std::vector<std::thread> callers;
    for (int caller = 0; caller < kRecoverCallers; ++caller) {
      callers.emplace_back([&, caller] {
        stack::Api api(stack_.api_addresses(), {});
        for (int i = caller; i < kRecoverApps; i += kRecoverCallers) call(api, i);
      });
    }
    for (std::thread& caller : callers) caller.join();
  }
  Rows Run(const std::string& sql) {
    Rows rows;
    if (!session_) session_ = OpenSession(stack_.database_url());
    const SessionError error = session_->Transact(Session::Isolation::kReadCommitted,
                                                  [&](Session& s) { return rows = s.RunScript(sql), true; });
    CHECK(error.ok());
    return rows;
  }
  std::int64_t Number(const std::string& query) { return Run(query)[0].Int(); }
  void AwaitNoRolls() {
    CHECK(stack::WaitFor(kRecoverPatience, {}, [&] { return Number("SELECT count(*) FROM rolls") == 0; }));
  }

  stack::StateDir dir_;
  stack::Stack stack_;
  std::unique_ptr<stack::Program> cells_;
  std::unique_ptr<Session> session_;
};

}  // namespace

Figures BenchRecovery() {
  ManyRolls rolls;
  std::vector<double> took;
  for (int i = 0; i < kRecoverRounds; ++i) took.push_back(rolls.Round("v" + std::to_string(i + 2)));
  std::ranges::sort(took);
  return {{"recover.1k", MedianOf(took, "ms")}, {"recover.1k.most_ms", took.back()}};
}

}  // namespace baton::bench
