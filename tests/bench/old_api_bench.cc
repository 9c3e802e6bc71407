// What a call of baton.v1 costs batond beside the call of baton.v2 that it becomes: CPU of a batond in a process of its own.
#include <atomic>
#include <functional>

#include "baton/v1/bbs_service.grpc.pb.h"
#include "orchestrator/base/check.h"
#include "tests/bench/bench.h"
#include "tests/bench/calls.h"
#include "tests/bench/cpu_meter.h"
#include "tools/stack/stack.h"
#include "tools/stack/state_dir.h"

namespace baton::bench {
namespace {

constexpr int kOldApiApps = 2000;
constexpr int kDepth = 16;
constexpr int kOldApiRounds = 6;  // of each, one after the other: what else the machine does falls on both

class OldAndNew {
 public:
  OldAndNew() : stack_({.dir = dir_.path(), .cells = 0, .log_level = "warn"}) {
    stack_.StartBatonds();
    channel_ = grpc::CreateChannel(stack_.api_addresses()[0], grpc::InsecureChannelCredentials());
    new_ = v2::DesiredLRPs::NewStub(channel_);
    old_ = v1::DesiredLRPs::NewStub(channel_);
    Calls::Make(kOldApiApps, kDepth, [this](int i, const Calls::Done& done) {
      auto one = std::make_shared<OneCall<v2::DesireLRPRequest, v2::DesireLRPResponse>>();
      one->request = RunningService::SmallApp(Guid(i), 0);
      new_->async()->DesireLRP(one->context.get(), &one->request, &one->response,
                               [one, done](const grpc::Status& status) { done(status.ok()); });
    });
  }
  ~OldAndNew() { stack_.Stop(); }

  // Microseconds of batond's CPU for each.
  double Measure(int count, const std::function<void(int)>& run) {
    const double before = CpuSecondsOf(stack_.batond_pid());
    run(count);
    return (CpuSecondsOf(stack_.batond_pid()) - before) / count * 1e6;
  }

  void GetNew(int count) {
    Calls::Make(count, kDepth, [this](int i, const Calls::Done& done) {
      auto one = std::make_shared<OneCall<v2::GetDesiredLRPRequest, v2::GetDesiredLRPResponse>>();
      one->request.set_process_guid(Guid(i));
      one->request.set_reveal_secrets(true);
      new_->async()->GetDesiredLRP(one->context.get(), &one->request, &one->response,
                                   [one, done](const grpc::Status& status) { done(status.ok()); });
    });
  }
  void GetOld(int count) {
    Calls::Make(count, kDepth, [this](int i, const Calls::Done& done) {
      auto one = std::make_shared<OneCall<v1::DesiredLRPByProcessGuidRequest, v1::DesiredLRPResponse>>();
      one->request.set_process_guid(Guid(i));
      old_->async()->GetDesiredLRP(one->context.get(), &one->request, &one->response,
                                   [one, done](const grpc::Status& status) {
                                     done(status.ok() && one->response.desired_lrp().has_action());
                                   });
    });
  }
  void UpdateNew(int count) {
    Calls::Make(count, kDepth, [this](int i, const Calls::Done& done) {
      auto one = std::make_shared<OneCall<v2::UpdateDesiredLRPRequest, v2::UpdateDesiredLRPResponse>>();
      one->request.set_process_guid(Guid(i));
      one->request.mutable_update()->set_annotation("n" + std::to_string(++number_));
      new_->async()->UpdateDesiredLRP(one->context.get(), &one->request, &one->response,
                                      [one, done](const grpc::Status& status) { done(status.ok()); });
    });
  }
  void UpdateOld(int count) {
    Calls::Make(count, kDepth, [this](int i, const Calls::Done& done) {
      auto one = std::make_shared<OneCall<v1::UpdateDesiredLRPRequest, v1::DesiredLRPLifecycleResponse>>();
      one->request.set_process_guid(Guid(i));
      one->request.mutable_update()->set_annotation("n" + std::to_string(++number_));
      old_->async()->UpdateDesiredLRP(
          one->context.get(), &one->request, &one->response,
          [one, done](const grpc::Status& status) { done(status.ok() && !one->response.has_error()); });
    });
  }
  void ListNew(int count) {
    for (int i = 0; i < count; ++i) {
      const auto context = Context();
      v2::ListDesiredLRPsRequest request;
      request.set_reveal_secrets(true);
      auto reader = new_->ListDesiredLRPs(context.get(), request);
      v2::ListDesiredLRPsResponse page;
      int rows = 0;
      while (reader->Read(&page)) rows += page.desired_lrps_size();
      CHECK(rows == kOldApiApps && reader->Finish().ok());
    }
  }
  void ListOld(int count) {
    for (int i = 0; i < count; ++i) {
      const auto context = Context();
      auto reader = old_->ListDesiredLRPs(context.get(), {});
      v1::DesiredLRPsResponse page;
      int rows = 0;
      while (reader->Read(&page)) rows += page.desired_lrps_size();
      CHECK(rows == kOldApiApps && reader->Finish().ok());
    }
  }

 private:
  static std::string Guid(int i) { return "app-" + std::to_string(i % kOldApiApps); }

  stack::StateDir dir_;
  stack::Stack stack_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v2::DesiredLRPs::Stub> new_;
  std::unique_ptr<v1::DesiredLRPs::Stub> old_;
  std::atomic<int> number_{0};
};

}  // namespace

Figures BenchOldApi() {
  OldAndNew both;
  struct Part {
    const char* name;
    int count;
    std::function<void(int)> with_new;
    std::function<void(int)> with_old;
  };
  const Part parts[] = {
      {"get", 2000, [&](int n) { both.GetNew(n); }, [&](int n) { both.GetOld(n); }},
      {"update", 2000, [&](int n) { both.UpdateNew(n); }, [&](int n) { both.UpdateOld(n); }},
      {"list_2k", 10, [&](int n) { both.ListNew(n); }, [&](int n) { both.ListOld(n); }},
  };
  Figures figures;
  for (const Part& part : parts) {
    part.with_new(part.count / 5);
    part.with_old(part.count / 5);
    double with_new = 0;
    double with_old = 0;
    for (int i = 0; i < kOldApiRounds; ++i) {
      with_new += both.Measure(part.count, part.with_new);
      with_old += both.Measure(part.count, part.with_old);
    }
    const std::string name = std::string("v1.") + part.name;
    figures[name + "_cpu_ratio"] = with_old / with_new;
    figures[name + "_cpu_us"] = with_old / kOldApiRounds;
    figures[name + "_cpu_us_in_v2"] = with_new / kOldApiRounds;
  }
  return figures;
}

}  // namespace baton::bench
