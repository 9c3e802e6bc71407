#include "tests/bench/changing_apps.h"

#include "orchestrator/base/check.h"
#include "tests/bench/calls.h"
#include "tests/bench/shapes.h"

namespace baton::bench {
namespace {

std::string GuidOf(int number) { return "a-" + BenchGuid(number); }

}  // namespace

void MakeChangingApps(Rig& rig) {
  const auto stub = v2::DesiredLRPs::NewStub(rig.channel());
  Calls::Make(kChangingApps, 16, [&](int i, const Calls::Done& done) {
    auto call = std::make_shared<OneCall<v2::DesireLRPRequest, v2::DesireLRPResponse>>();
    call->request = LightApp(GuidOf(i));
    call->request.mutable_desired_lrp()->set_instances(0);
    call->request.mutable_desired_lrp()->clear_routes();
    call->request.mutable_desired_lrp()->mutable_definition()->add_placement_tags("of-no-cell");
    stub->async()->DesireLRP(call->context.get(), &call->request, &call->response,
                             [call, done](const grpc::Status& status) { done(status.ok()); });
  });
}

ChangingApps::ChangingApps(Rig& rig, int per_second)
    : stub_(v2::DesiredLRPs::NewStub(rig.channel())),
      calls_(std::chrono::microseconds(1'000'000 / per_second), [this](int n, const PacedCalls::Done& done) {
        auto call = std::make_shared<OneCall<v2::UpdateDesiredLRPRequest, v2::UpdateDesiredLRPResponse>>();
        call->request.set_process_guid(GuidOf(n % kChangingApps));
        call->request.mutable_update()->set_instances(n / kChangingApps % 2 == 0 ? 1 : 0);
        stub_->async()->UpdateDesiredLRP(call->context.get(), &call->request, &call->response,
                                         [this, call, done](const grpc::Status& status) {
                                           CHECK(status.ok());
                                           ++made_;
                                           done(std::nullopt);
                                         });
      }) {}

}  // namespace baton::bench
