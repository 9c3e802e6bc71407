// What is told to those who follow, while apps change.
#include <future>

#include "orchestrator/base/check.h"
#include "tests/bench/bench.h"
#include "tests/bench/calls.h"
#include "tests/bench/paced_calls.h"
#include "tests/bench/shapes.h"
#include "tests/bench/subscribers.h"

namespace baton::bench {
namespace {

constexpr int kEventsApps = 64;
constexpr int kSubscribers = 20;
constexpr int kPerSecond = 2000;

}  // namespace

Figures BenchEvents(const BenchSize& size) {
  const int changes = (size.quick ? 2 : 5) * kPerSecond;
  Rig rig;
  rig.StartBatond();
  const auto stub = v2::DesiredLRPs::NewStub(rig.channel());
  Calls::Make(kEventsApps, 16, [&](int i, const Calls::Done& done) {
    auto call = std::make_shared<OneCall<v2::DesireLRPRequest, v2::DesireLRPResponse>>();
    call->request = LightApp(BenchGuid(i));
    call->request.mutable_desired_lrp()->set_instances(0);
    // Of four events that an instance's life has at Diego's BBS, one is of an app with its routes.
    if (i % 4 != 0) call->request.mutable_desired_lrp()->clear_routes();
    stub->async()->DesireLRP(call->context.get(), &call->request, &call->response,
                             [call, done](const grpc::Status& status) { done(status.ok()); });
  });
  Subscribers subscribers(rig, kSubscribers, changes);
  const Usage usage(rig, "events.delivery");
  std::atomic<int> failed{0};
  {
    PacedCalls calls(std::chrono::microseconds(1'000'000 / kPerSecond), [&](int n, PacedCalls::Done done) {
      if (n >= changes) return done(std::nullopt);
      auto call = std::make_shared<OneCall<v2::UpdateDesiredLRPRequest, v2::UpdateDesiredLRPResponse>>();
      call->request.set_process_guid(BenchGuid(n % kEventsApps));
      call->request.mutable_update()->set_annotation("n" + std::to_string(n));
      stub->async()->UpdateDesiredLRP(call->context.get(), &call->request, &call->response,
                                      [call, done, &failed](const grpc::Status& status) {
                                        failed += !status.ok();
                                        done(std::nullopt);
                                      });
    });
    const Subscribers::Told told = subscribers.Wait();
    calls.Stop();
    CHECK(failed == 0);
    Figure figure(told.p50);
    figure.unit = "ms";
    usage.Put(figure, changes);
    figure.p50 = told.p50;
    figure.p99 = told.p99;
    figure.n = told.n;
    return {{"events.delivery", figure},
            {"events.delivery.lost", static_cast<double>(told.lost)},
            {"events.delivery.doubled", static_cast<double>(told.doubled)}};
  }
}

}  // namespace baton::bench
