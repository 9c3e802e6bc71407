// What mutual TLS and the policy cost: the same calls of two batonds, one with --tls, in turns, so that what else the machine does
// falls on both.
#include <grpcpp/grpcpp.h>

#include <array>
#include <atomic>
#include <functional>

#include "baton/v2/admin_service.grpc.pb.h"
#include "orchestrator/base/check.h"
#include "tests/bench/bench.h"
#include "tests/bench/calls.h"
#include "tests/bench/cpu_meter.h"
#include "tools/stack/stack.h"
#include "tools/stack/state_dir.h"
#include "tools/tls/credentials.h"

namespace baton::bench {
namespace {

using Steady = std::chrono::steady_clock;

constexpr int kTlsApps = 2000;
constexpr int kTlsCallers = 16;
constexpr int kTlsRounds = 6;
constexpr int kHandshakes = 100;  // of a round

// gRPC gives channels of equal arguments one connection; each of these gets its own.
grpc::ChannelArguments OwnConnection() {
  static int number = 0;
  grpc::ChannelArguments arguments;
  arguments.SetInt("baton.bench", ++number);
  return arguments;
}

class Side {
 public:
  // What one caller may write is not what is measured.
  explicit Side(bool over_tls)
      : stack_({.dir = dir_.path(),
                .cells = 0,
                .tls = over_tls,
                .log_level = "warn",
                .batond_arguments = {"--identity-writes", "1000000", "--identity-writes-at-once", "1000000"}}) {
    stack_.StartBatonds();
    if (over_tls) {
      auto opened = Tls::Open({.dir = stack_.certificates()->For({Role::kAdmin, "bench"}), .roles = tls::RolesOfPeople()});
      CHECK(opened.ok());
      tls_ = *std::move(opened);
    }
    channel_ = Dial();
    apps_ = v2::DesiredLRPs::NewStub(channel_);
    admin_ = v2::Admin::NewStub(channel_);
    Calls::Make(kTlsApps, kTlsCallers, [this](int i, const Calls::Done& done) {
      auto one = std::make_shared<OneCall<v2::DesireLRPRequest, v2::DesireLRPResponse>>();
      one->request = RunningService::SmallApp(Guid(i), 0);
      apps_->async()->DesireLRP(one->context.get(), &one->request, &one->response,
                                [one, done](const grpc::Status& status) { done(status.ok()); });
    });
  }
  ~Side() { stack_.Stop(); }

  struct Round {
    double per_s = 0;
    double p50_ms = 0;
    double cpu_us = 0;  // batond's, a call
  };
  Round Measure(int count, const std::function<std::vector<double>(int)>& run) const {
    const double before = CpuSecondsOf(stack_.batond_pid());
    const auto began = Steady::now();
    std::vector<double> took = run(count);
    const double seconds = std::chrono::duration<double>(Steady::now() - began).count();
    return {count / seconds, Quantile(took, 0.5), (CpuSecondsOf(stack_.batond_pid()) - before) / count * 1e6};
  }

  std::vector<double> Ping(int count) {
    return Calls::Took(count, kTlsCallers, [this](int, const Calls::Done& done) {
      auto one = std::make_shared<OneCall<v2::PingRequest, v2::PingResponse>>();
      admin_->async()->Ping(one->context.get(), &one->request, &one->response,
                            [one, done](const grpc::Status& status) { done(status.ok()); });
    });
  }
  std::vector<double> Get(int count) {
    return Calls::Took(count, kTlsCallers, [this](int i, const Calls::Done& done) {
      auto one = std::make_shared<OneCall<v2::GetDesiredLRPRequest, v2::GetDesiredLRPResponse>>();
      one->request.set_process_guid(Guid(i));
      apps_->async()->GetDesiredLRP(one->context.get(), &one->request, &one->response,
                                    [one, done](const grpc::Status& status) { done(status.ok()); });
    });
  }
  std::vector<double> Update(int count) {
    return Calls::Took(count, kTlsCallers, [this](int i, const Calls::Done& done) {
      auto one = std::make_shared<OneCall<v2::UpdateDesiredLRPRequest, v2::UpdateDesiredLRPResponse>>();
      one->request.set_process_guid(Guid(i));
      one->request.mutable_update()->set_annotation("n" + std::to_string(++number_));
      apps_->async()->UpdateDesiredLRP(one->context.get(), &one->request, &one->response,
                                       [one, done](const grpc::Status& status) { done(status.ok()); });
    });
  }
  // A call on a connection of its own, one after the other.
  std::vector<double> Connect(int count) {
    std::vector<double> took;
    for (int i = 0; i < count; ++i) {
      const auto began = Steady::now();
      const auto stub = v2::Admin::NewStub(Dial());
      const auto context = Context();
      v2::PingResponse answer;
      CHECK(stub->Ping(context.get(), {}, &answer).ok());
      took.push_back(std::chrono::duration<double, std::milli>(Steady::now() - began).count());
    }
    return took;
  }

 private:
  std::shared_ptr<grpc::Channel> Dial() const {
    return grpc::CreateCustomChannel(stack_.api_address(), tls_ ? tls_->ForClient() : grpc::InsecureChannelCredentials(),
                                     OwnConnection());
  }
  static std::string Guid(int i) { return "app-" + std::to_string(i % kTlsApps); }

  stack::StateDir dir_;
  stack::Stack stack_;
  std::shared_ptr<Tls> tls_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v2::DesiredLRPs::Stub> apps_;
  std::unique_ptr<v2::Admin::Stub> admin_;
  std::atomic<int> number_{0};
};

}  // namespace

Figures BenchTls(const BenchSize& size) {
  Side plain(false);
  Side over_tls(true);
  struct Part {
    const char* name;
    int count;
    std::vector<double> (Side::*run)(int);
  };
  const int calls = size.quick ? 2000 : 10'000;
  const Part parts[] = {{"ping", calls, &Side::Ping}, {"get", calls, &Side::Get}, {"update", calls / 2, &Side::Update}};
  Figures figures;
  const auto round = [](Side& side, const Part& part) {
    return side.Measure(part.count, [&](int n) { return (side.*part.run)(n); });
  };
  for (const Part& part : parts) {
    std::array<std::vector<double>, 3> ratios;  // throughput, p50, CPU
    std::vector<double> more_cpu;
    for (int i = 0; i <= kTlsRounds; ++i) {
      const Side::Round without = round(plain, part);
      const Side::Round with = round(over_tls, part);
      if (i == 0) continue;  // both are warm after it
      ratios[0].push_back(with.per_s / without.per_s);
      ratios[1].push_back(with.p50_ms / without.p50_ms);
      ratios[2].push_back(with.cpu_us / without.cpu_us);
      more_cpu.push_back(with.cpu_us - without.cpu_us);
    }
    const std::string name = std::string("tls.") + part.name;
    figures[name + "_throughput_ratio"] = MedianOf(ratios[0]);
    figures[name + "_p50_ratio"] = MedianOf(ratios[1]);
    figures[name + "_cpu_ratio"] = MedianOf(ratios[2]);
    figures[name + "_more_cpu_us"] = MedianOf(more_cpu);
  }
  const Side::Round shaken = over_tls.Measure(kHandshakes, [&](int n) { return over_tls.Connect(n); });
  figures["tls.handshakes_of_a_core_per_s"] = 1e6 / shaken.cpu_us;
  return figures;
}

}  // namespace baton::bench
