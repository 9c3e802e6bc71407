// One app that is written a thousand times a second, and how soon the rolls of others begin beside it; and a PostgreSQL that
// is too slow for its callers: what waits, who is refused, and whether rolls go on. batond is a program of its own.
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

#include "orchestrator/base/check.h"
#include "tests/bench/bench.h"
#include "tests/bench/paced_calls.h"
#include "tests/bench/shapes.h"
#include "tests/server/running_service.h"
#include "tools/client/hints.h"
#include "tools/stack/hello_app.h"
#include "tools/stack/http.h"
#include "tools/stack/stack.h"
#include "tools/stack/state_dir.h"

namespace baton::bench {
namespace {

using Clock = PacedCalls::Clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kFairnessRolling = 60;  // apps of two instances; each begins a roll once in 1.5 s
constexpr int kWritten = 300;
constexpr std::chrono::microseconds kRollPace{25'000};
constexpr std::chrono::microseconds kBusyPace{1000};
constexpr std::chrono::microseconds kFloodPace{200};
constexpr seconds kWindow{4};
constexpr int kFairnessRounds = 3;
constexpr seconds kFlood{12};
// Twice what batond lets wait. A machine on which they are answered late had 17 GB of calls that nobody had answered.
constexpr int kFloodMost = 20'000;
// Of each fifth of a second PostgreSQL works so long.
constexpr milliseconds kStopped{185};
constexpr milliseconds kWorks{15};

template <class Request, class Response>
struct FairnessCall {
  std::unique_ptr<grpc::ClientContext> context = Context();
  Request request;
  Response response;
};
using Update = FairnessCall<v2::UpdateDesiredLRPRequest, v2::UpdateDesiredLRPResponse>;

void Pass(Clock::duration time) {
  std::promise<void> never;
  (void)never.get_future().wait_for(time);
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.at(values.size() / 2);
}

stack::HelloApp FairApp(const std::string& guid, int instances) {
  return {.process_guid = guid, .hostname = {}, .instances = instances, .program = "/bin/true", .min_healthy_ms = 0};
}

std::string Rolling(int i) { return "rolling-" + std::to_string(i % kFairnessRolling); }

class FairStack {
 public:
  FairStack() : stack_({.dir = dir_.path(), .cells = 0, .log_level = "error", .batond_arguments = {"--leader-lease-ms", "10000"}}) {
    stack_.StartBatonds();
    channel_ = grpc::CreateChannel(stack_.api_addresses()[0], grpc::InsecureChannelCredentials());
    stub_ = v2::DesiredLRPs::NewStub(channel_);
    // Over a connection of its own: what is asked of rolls would wait behind the flood in the client's own queue, for minutes.
    grpc::ChannelArguments own;
    own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    rolls_ = v2::Rolls::NewStub(
        grpc::CreateCustomChannel(stack_.api_addresses()[0], grpc::InsecureChannelCredentials(), own));
    cells_ = std::make_unique<stack::Program>(stack::Program::Start{
        "cells",
        {stack::OwnDirectory() + "/baton-bench-cells", dir_.path() + "/sim", "4", "0", "0", stack_.api_addresses()[0]},
        dir_.path() + "/sim.log"});
    for (int i = 0; i < kFairnessRolling; ++i) Desire(Rolling(i), 2);
    for (int i = 0; i < kWritten; ++i) Desire("written-" + std::to_string(i), 0);
    Desire("busy", 1);
    CHECK(Eventually([this] { return stack_.api().OpenRolls().empty(); }));  // the cells are there, and run all of them
  }
  ~FairStack() {
    cells_.reset();
    stack_.Stop();
  }

  stack::Stack& stack() { return stack_; }

  // Another definition of an app; its answer comes with the roll and its first instance's row committed.
  void BeginRoll(const std::string& guid, int number, const std::function<void(const Update&, const grpc::Status&)>& done) {
    auto one = std::make_shared<Update>();
    one->request.set_process_guid(guid);
    *one->request.mutable_update() = stack::UpdateTo(SimulatedHello(FairApp(guid, 2), "v" + std::to_string(number)));
    one->request.mutable_update()->set_reactivate(true);  // the busy app goes back and forth between two
    Ask(one, done);
  }
  void Annotate(const std::string& guid, int number, const std::function<void(const Update&, const grpc::Status&)>& done) {
    auto one = std::make_shared<Update>();
    one->request.set_process_guid(guid);
    one->request.mutable_update()->set_annotation("n" + std::to_string(number));
    Ask(one, done);
  }
  // Asked until it is answered: a read whose connection is closed beside a flood says nothing of the roll.
  bool IsOver(const std::string& roll) {
    v2::GetRollRequest get;
    get.set_roll_id(roll);
    v2::GetRollResponse got;
    CHECK(Eventually([&] { return rolls_->GetRoll(Context().get(), get, &got).ok(); }));
    return got.roll().state() == v2::COMPLETED;
  }
  // Of all writers together; 0 where batond does not say.
  double Waiting(const std::string& what) {
    const std::string text = stack::HttpGet(stack_.metrics_address(), "batond", "/metrics").body;
    const std::string name = "baton_calls_waiting{for=\"" + what + "\"} ";
    const std::size_t at = text.find(name);
    return at == std::string::npos ? 0 : std::stod(text.substr(at + name.size(), 20));
  }

 private:
  void Desire(const std::string& guid, int instances) {
    v2::DesiredLRP app = stack::DesiredHello(FairApp(guid, instances), SimulatedHello(FairApp(guid, instances), "v0"));
    app.clear_routes();
    stack_.api().Desire(app);
  }
  void Ask(const std::shared_ptr<Update>& one, const std::function<void(const Update&, const grpc::Status&)>& done) {
    stub_->async()->UpdateDesiredLRP(one->context.get(), &one->request, &one->response,
                                     [one, done](const grpc::Status& status) { done(*one, status); });
  }

  stack::StateDir dir_;
  stack::Stack stack_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v2::DesiredLRPs::Stub> stub_;
  std::unique_ptr<v2::Rolls::Stub> rolls_;
  std::unique_ptr<stack::Program> cells_;
};

// What the answer says: it was taken, or comes again when it is told to. One that nobody answered within ten seconds took
// as long.
std::optional<milliseconds> Again(const Update& one, const grpc::Status& status) {
  if (status.ok() || status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) return std::nullopt;
  const bool refused = status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED;
  if (!refused) std::fprintf(stderr, "%d %s\n", status.error_code(), status.error_message().c_str());
  CHECK(refused);
  return HintsIn(*one.context).retry_after;
}

// Rolls begin at an even pace all the time; beside them nothing, then what `busy` does a thousand times a second.
void MeasureRollStart(FairStack& fair, const std::string& name, const std::function<void(int, PacedCalls::Done)>& busy,
                      Figures& figures) {
  static std::atomic<int> version{0};
  PacedCalls begun(kRollPace, [&](int number, const PacedCalls::Done& done) {
    fair.BeginRoll(Rolling(number), ++version, [done](const Update& one, const grpc::Status& status) {
      if (status.ok()) CHECK(one.response.has_roll());
      done(Again(one, status));
    });
  });
  const auto window = [&] {
    const auto from = Clock::now();
    Pass(kWindow);
    const auto to = Clock::now();
    Pass(seconds(1));  // for the last ones
    return begun.Of(from, to);
  };
  std::vector<double> p50, p99, alone_p50, alone_p99, ratio, ratio_p99;
  double per_s = 0;
  for (int round = 0; round < kFairnessRounds; ++round) {
    const auto alone = window();
    PacedCalls writes(kBusyPace, busy);
    Pass(seconds(1));
    const auto from = Clock::now();
    const auto beside = window();
    per_s += writes.Of(from, from + kWindow).calls / std::chrono::duration<double>(kWindow).count() / kFairnessRounds;
    writes.Stop();
    alone_p50.push_back(alone.p50_ms);
    alone_p99.push_back(alone.p99_ms);
    p50.push_back(beside.p50_ms);
    p99.push_back(beside.p99_ms);
    ratio.push_back(beside.p50_ms / alone.p50_ms);
    ratio_p99.push_back(beside.p99_ms / alone.p99_ms);
    std::printf("%s: a roll begins after %.2f ms (p99 %.2f), beside it %.2f ms (p99 %.2f), %d asked again\n", name.c_str(),
                alone.p50_ms, alone.p99_ms, beside.p50_ms, beside.p99_ms, beside.asked_again);
    std::fflush(stdout);
  }
  begun.Stop();
  figures[name + ".alone_p50_ms"] = Median(alone_p50);
  figures[name + ".alone_p99_ms"] = Median(alone_p99);
  figures[name + ".beside_p50_ms"] = Median(p50);
  figures[name + ".beside_p99_ms"] = Median(p99);
  figures[name + "_ratio"] = Median(ratio);
  figures[name + "_p99_ratio"] = Median(ratio_p99);
  figures[name + ".busy_done_per_s"] = per_s;
}

// PostgreSQL stands still most of the time, as long as this lives.
class SlowPostgres {
 public:
  explicit SlowPostgres(stack::Stack& stack)
      : thread_([this, &stack] {
          while (!over_) {
            stack.SignalPostgres(SIGSTOP);
            Pass(kStopped);
            stack.SignalPostgres(SIGCONT);
            Pass(kWorks);
          }
        }) {}
  ~SlowPostgres() {
    over_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> over_{false};
  std::thread thread_;
};

void MeasureBackPressure(FairStack& fair, Figures& figures) {
  std::mutex mutex;
  std::vector<std::string> rolls;
  std::atomic<int> answered{0};
  for (int i = 0; i < kFairnessRolling; ++i) {
    fair.BeginRoll(Rolling(i), 1'000'000, [&](const Update& one, const grpc::Status& status) {
      CHECK(status.ok());
      const std::lock_guard lock(mutex);
      rolls.push_back(one.response.roll().roll_id());
      ++answered;
    });
  }
  CHECK(Eventually([&] { return answered == kFairnessRolling; }));
  std::atomic<int> written{0}, refused{0}, without_hint{0}, late{0}, lost{0}, under_way{0};
  double callers_max = 0;
  double rolls_max = 0;
  double moved = 0;
  {
    const SlowPostgres slow(fair.stack());
    PacedCalls flood(kFloodPace, [&](int number, const PacedCalls::Done& done) {
      if (under_way >= kFloodMost) return done(std::nullopt);
      ++under_way;
      const auto ended = [&, done](const Update& one, const grpc::Status& status) {
        --under_way;
        if (status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED) {
          ++refused;
          if (HintsIn(*one.context).retry_after <= milliseconds(0)) ++without_hint;
        } else if (status.ok()) {
          ++written;
        } else {
          const bool is_late = status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
          const bool is_lost = status.error_code() == grpc::StatusCode::UNAVAILABLE;
          if (!is_late && !is_lost) {
            std::fprintf(stderr, "backpressure: %d: %s\n", status.error_code(), status.error_message().c_str());
          }
          CHECK(is_late || is_lost);
          ++(is_late ? late : lost);
        }
        done(std::nullopt);
      };
      fair.Annotate("written-" + std::to_string(number % kWritten), number, ended);
    });
    const auto is_over = [&](const std::string& roll) { return fair.IsOver(roll); };
    std::erase_if(rolls, is_over);
    const auto end = Clock::now() + kFlood;
    while (Clock::now() < end) {
      callers_max = std::max(callers_max, fair.Waiting("callers"));
      rolls_max = std::max(rolls_max, fair.Waiting("rolls"));
      Pass(milliseconds(20));
    }
    moved = static_cast<double>(std::ranges::count_if(rolls, is_over));
    flood.Stop();
  }
  figures["backpressure.queue_most"] = callers_max;
  figures["backpressure.rolls_waiting_most"] = rolls_max;
  figures["backpressure.written"] = written.load();
  figures["backpressure.refused"] = refused.load();
  figures["backpressure.without_hint"] = without_hint.load();
  figures["backpressure.waited_10_s"] = late.load();
  figures["backpressure.lost"] = lost.load();
  figures["backpressure.rolls_open"] = static_cast<double>(rolls.size());
  figures["backpressure.rolls_moved"] = moved;
  figures["backpressure.rolls_stuck"] = static_cast<double>(rolls.size()) - moved;
}

}  // namespace

Figures BenchFairness() {
  FairStack fair;
  Figures figures;
  std::atomic<int> number{0};
  const auto annotate = [&](int, const PacedCalls::Done& done) {
    fair.Annotate("busy", ++number, [done](const Update& one, const grpc::Status& status) { done(Again(one, status)); });
  };
  const auto roll = [&](int, const PacedCalls::Done& done) {
    fair.BeginRoll("busy", ++number % 2, [done](const Update& one, const grpc::Status& status) { done(Again(one, status)); });
  };
  MeasureRollStart(fair, "fairness.roll_start", annotate, figures);
  MeasureRollStart(fair, "fairness.roll_start_beside_rolls", roll, figures);
  MeasureBackPressure(fair, figures);
  return figures;
}

}  // namespace baton::bench
