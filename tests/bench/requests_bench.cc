// What callers and cells of Diego's kind ask for one by one: an app's life, each of its calls made for every app.
#include <grpcpp/grpcpp.h>

#include <atomic>

#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "tests/bench/bench.h"
#include "tests/bench/calls.h"
#include "tests/bench/shapes.h"

namespace baton::bench {
namespace {

constexpr char kCell[] = "sim-1";

using Desired = OneCall<v2::DesireLRPRequest, v2::DesireLRPResponse>;
using Claimed = OneCall<v2::ClaimActualLRPRequest, v2::ActualLRPLifecycleResponse>;
using Started = OneCall<v2::StartActualLRPRequest, v2::ActualLRPLifecycleResponse>;
using Gotten = OneCall<v2::GetDesiredLRPRequest, v2::GetDesiredLRPResponse>;
using Updated = OneCall<v2::UpdateDesiredLRPRequest, v2::UpdateDesiredLRPResponse>;

class Requests {
 public:
  explicit Requests(int apps) : apps_(apps) {
    // The cell claims nothing: its claims are among what is measured. Nor is it passed over for that meanwhile, with a
    // row written for each instance.
    rig_.StartBatond({"--cell-lease-ms", "3600000"}, {"BATON_CLAIM_MS=3600000"});
    rig_.StartCells(1, /*start_ms=*/-1);
    lrps_ = v2::ActualLRPs::NewStub(rig_.channel());
    desired_ = v2::DesiredLRPs::NewStub(rig_.channel());
  }

  Figures Measure() {
    Run("desire.c16", apps_, 16, &Requests::Desire);
    rig_.AwaitSql("SELECT count(*) = " + std::to_string(apps_) + " FROM actual_lrps");
    Run("lifecycle.claim.c16", apps_, 16, &Requests::Claim);
    Run("lifecycle.start.c16", apps_, 16, &Requests::Start);
    rig_.AwaitSql("NOT EXISTS (SELECT FROM rolls)");
    Run("lifecycle.start_again.c16", apps_, 16, &Requests::StartAgain);
    CHECK(rig_.Number("SELECT count(*) FROM actual_lrps WHERE state = 'RUNNING'") == apps_);
    Run("get.c16", 2 * apps_, 16, &Requests::Get);
    Run("update.annotation.c16", apps_ / 2, 16, &Requests::Annotate);
    Run("update.annotation.c256", apps_, 256, &Requests::Annotate);
    Run("update.annotation_routes.c16", apps_ / 2, 16, &Requests::AnnotateAndRoute);
    // Of half of the apps each, so that both meet an app that does not roll yet.
    Run("update.definition.c16", apps_ / 2, 16, &Requests::Update);
    first_ = apps_ / 2;
    Run("update.definition.c256", apps_ / 2, 256, &Requests::Update);
    CHECK(rig_.Number("SELECT count(*) FROM rolls") == apps_);
    CHECK(rig_.Number("SELECT count(*) FROM definitions") == 2 * apps_);
    return std::move(figures_);
  }

 private:
  using Make = void (Requests::*)(int, Calls::Done);
  void Run(const std::string& row, int count, int callers, Make make) {
    figures_[row] = Calls::Run(rig_, row, count, callers, [this, make](int i, Calls::Done done) { (this->*make)(i, std::move(done)); });
  }
  std::string Guid(int i) const { return BenchGuid((first_ + i) % apps_); }
  template <class Request>
  void Name(Request& request, int i) {
    request.mutable_slot()->set_process_guid(Guid(i));
    request.mutable_instance_key()->set_instance_guid("instance-" + Guid(i));
    request.mutable_instance_key()->set_cell_id(kCell);
  }
  // Says what is not as it should be, before the run fails.
  template <class Call>
  static auto Answered(std::shared_ptr<Call> call, Calls::Done done, bool (*right)(const Call&)) {
    return [call, right, done = std::move(done)](const grpc::Status& status) {
      const bool ok = status.ok() && right(*call);
      if (!ok) std::fprintf(stderr, "%s %s\n", status.error_message().c_str(), call->response.ShortDebugString().c_str());
      done(ok);
    };
  }

  void Desire(int i, Calls::Done done) {
    auto call = std::make_shared<Desired>();
    call->request = LightApp(Guid(i));
    desired_->async()->DesireLRP(call->context.get(), &call->request, &call->response,
                                 Answered(call, std::move(done), +[](const Desired& c) { return c.response.has_roll(); }));
  }
  void Claim(int i, Calls::Done done) {
    auto call = std::make_shared<Claimed>();
    Name(call->request, i);
    lrps_->async()->ClaimActualLRP(call->context.get(), &call->request, &call->response,
                                   Answered(call, std::move(done), +[](const Claimed& c) { return c.response.changed(); }));
  }
  void Start(int i, Calls::Done done) {
    StartOf(i, std::move(done), +[](const Started& c) { return c.response.changed(); });
  }
  void StartAgain(int i, Calls::Done done) {
    StartOf(i, std::move(done), +[](const Started& c) { return !c.response.changed(); });
  }
  void StartOf(int i, Calls::Done done, bool (*right)(const Started&)) {
    auto call = std::make_shared<Started>();
    Name(call->request, i);
    call->request.mutable_net_info()->set_address("10.0.0.1");
    call->request.set_routable(true);
    lrps_->async()->StartActualLRP(call->context.get(), &call->request, &call->response,
                                   Answered(call, std::move(done), right));
  }
  void Get(int i, Calls::Done done) {
    auto call = std::make_shared<Gotten>();
    call->request.set_process_guid(Guid(i * 7919 % apps_));
    desired_->async()->GetDesiredLRP(
        call->context.get(), &call->request, &call->response, Answered(call, std::move(done), +[](const Gotten& c) {
          return c.response.desired_lrp().process_guid() == c.request.process_guid();
        }));
  }
  void Annotate(int i, Calls::Done done) { Change(i, false, std::move(done)); }
  void AnnotateAndRoute(int i, Calls::Done done) { Change(i, true, std::move(done)); }
  void Change(int i, bool routes, Calls::Done done) {
    auto call = std::make_shared<Updated>();
    call->request.set_process_guid(Guid(i));
    const std::string number = std::to_string(++number_);
    call->request.mutable_update()->set_annotation(number);
    if (routes)
      (*call->request.mutable_update()->mutable_routes()->mutable_routes())["my-router"] =
          R"([{"hostnames":["app-)" + number + R"(.example"],"port":8080}])";
    desired_->async()->UpdateDesiredLRP(call->context.get(), &call->request, &call->response,
                                        Answered(call, std::move(done), +[](const Updated& c) { return c.response.changed(); }));
  }
  void Update(int i, Calls::Done done) {
    auto call = std::make_shared<Updated>();
    call->request = NewDefinition(Guid(i), "v2");
    desired_->async()->UpdateDesiredLRP(call->context.get(), &call->request, &call->response,
                                        Answered(call, std::move(done), +[](const Updated& c) { return c.response.has_roll(); }));
  }

  const int apps_;
  int first_ = 0;
  std::atomic<int> number_{0};
  Rig rig_;
  Figures figures_;
  std::unique_ptr<v2::ActualLRPs::Stub> lrps_;
  std::unique_ptr<v2::DesiredLRPs::Stub> desired_;
};

}  // namespace

Figures BenchRequests(const BenchSize& size) { return Requests(size.quick ? 4000 : 20'000).Measure(); }

}  // namespace baton::bench
