// The service baton.v1.ActualLRPs.
#include "orchestrator/transform/services/services.h"

#include "baton/v1/bbs_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/transform/messages/actual_lrp.h"
#include "orchestrator/transform/services/backend.h"
#include "orchestrator/transform/services/passed_list.h"
#include "orchestrator/transform/services/passed_rows.h"

namespace baton::transform {
namespace {

// A cell of Diego's kind stops what it may not start, and keeps what is only not found.
grpc::Status Unstartable(const grpc::Status& status) {
  if (status.error_code() != grpc::StatusCode::NOT_FOUND) return status;
  return {grpc::StatusCode::FAILED_PRECONDITION, status.error_message()};
}

template <class Response>
struct Instances {
  Response Take(v2::ListActualLRPsResponse& page) const {
    Response made;
    for (v2::ActualLRP& row : *page.mutable_actual_lrps()) {
      if (auto lrp = ToV1(std::move(row))) *made.add_actual_lrps() = *std::move(lrp);
    }
    return made;
  }
  Response End() const { return {}; }
};

struct AllGroups {
  Groups groups;
  v1::ActualLRPGroupsResponse Take(v2::ListActualLRPsResponse& page) { return Made(groups.Take(page)); }
  v1::ActualLRPGroupsResponse End() { return Made(groups.End()); }

  static v1::ActualLRPGroupsResponse Made(std::vector<v1::ActualLRPGroup> whole) {
    v1::ActualLRPGroupsResponse made;
    for (v1::ActualLRPGroup& group : whole) *made.add_actual_lrp_groups() = std::move(group);
    return made;
  }
};

struct OneGroup {
  std::string slot;
  Groups groups;
  void Take(v2::ListActualLRPsResponse& page) { (void)groups.Take(page); }
  grpc::Status End(v1::ActualLRPGroupResponse& response) {
    auto all = groups.End();
    if (all.empty()) return {grpc::StatusCode::NOT_FOUND, "there is no instance of " + slot};
    *response.mutable_actual_lrp_group() = std::move(all.front());
    return grpc::Status::OK;
  }
};

class ActualLrpsService final : public v1::ActualLRPs::CallbackService {
 public:
  explicit ActualLrpsService(Backend& backend) : backend_(backend) {}

  grpc::ServerWriteReactor<v1::ActualLRPsResponse>* ListActualLRPs(grpc::CallbackServerContext* context,
                                                                   const v1::ActualLRPsRequest* request) override {
    return new PassedList<v2::ListActualLRPsRequest, v2::ListActualLRPsResponse, v1::ActualLRPsResponse,
                          Instances<v1::ActualLRPsResponse>>(
        backend_, *context, *request, "ActualLRPs.ListActualLRPs", {},
        [this](auto... all) { backend_.actual_lrps().async()->ListActualLRPs(all...); });
  }

  grpc::ServerWriteReactor<v1::ActualLRPsByProcessGuidsResponse>* ListActualLRPsByProcessGuids(
      grpc::CallbackServerContext* context, const v1::ActualLRPsByProcessGuidsRequest* request) override {
    return new PassedList<v2::ListActualLRPsRequest, v2::ListActualLRPsResponse, v1::ActualLRPsByProcessGuidsResponse,
                          Instances<v1::ActualLRPsByProcessGuidsResponse>>(
        backend_, *context, *request, "ActualLRPs.ListActualLRPsByProcessGuids", {},
        [this](auto... all) { backend_.actual_lrps().async()->ListActualLRPs(all...); });
  }

  grpc::ServerWriteReactor<v1::ActualLRPGroupsResponse>* ListActualLRPGroups(
      grpc::CallbackServerContext* context, const v1::ActualLRPGroupsRequest* request) override {
    return new PassedList<v2::ListActualLRPsRequest, v2::ListActualLRPsResponse, v1::ActualLRPGroupsResponse,
                          AllGroups>(backend_, *context, *request, "ActualLRPs.ListActualLRPGroups", {},
                                     [this](auto... all) { backend_.actual_lrps().async()->ListActualLRPs(all...); });
  }

  grpc::ServerWriteReactor<v1::ActualLRPGroupsResponse>* ListActualLRPGroupsByProcessGuid(
      grpc::CallbackServerContext* context, const v1::ActualLRPGroupsByProcessGuidRequest* request) override {
    return new PassedList<v2::ListActualLRPsRequest, v2::ListActualLRPsResponse, v1::ActualLRPGroupsResponse,
                          AllGroups>(
        backend_, *context, *request, "ActualLRPs.ListActualLRPGroupsByProcessGuid", {},
        [this](auto... all) { backend_.actual_lrps().async()->ListActualLRPs(all...); },
        CheckApp(request->process_guid()));
  }

  grpc::ServerUnaryReactor* GetActualLRPGroup(grpc::CallbackServerContext* context,
                                              const v1::ActualLRPGroupByProcessGuidAndIndexRequest* request,
                                              v1::ActualLRPGroupResponse* response) override {
    return PassedRows<v2::ListActualLRPsRequest, v2::ListActualLRPsResponse, v1::ActualLRPGroupResponse, OneGroup>::
        Start(
            backend_, *context, *request, *response, "ActualLRPs.GetActualLRPGroup",
            OneGroup{request->process_guid() + "/" + std::to_string(request->index()), {}},
            [this](auto... all) { backend_.actual_lrps().async()->ListActualLRPs(all...); },
            CheckSlot(request->process_guid(), request->index()));
  }

  grpc::ServerUnaryReactor* ClaimActualLRP(grpc::CallbackServerContext* context,
                                           const v1::ClaimActualLRPRequest* request,
                                           v1::ActualLRPLifecycleResponse* response) override {
    return Pass<v2::ClaimActualLRPRequest, v2::ActualLRPLifecycleResponse>(
        backend_, *context, *request, *response, "ActualLRPs.ClaimActualLRP",
        [this](auto... all) { backend_.actual_lrps().async()->ClaimActualLRP(all...); }, kNothing,
        {.precondition = v1::Error::ActualLRPCannotBeClaimed});
  }

  grpc::ServerUnaryReactor* StartActualLRP(grpc::CallbackServerContext* context,
                                           const v1::StartActualLRPRequest* request,
                                           v1::ActualLRPLifecycleResponse* response) override {
    return Pass<v2::StartActualLRPRequest, v2::ActualLRPLifecycleResponse>(
        backend_, *context, *request, *response, "ActualLRPs.StartActualLRP",
        [this](auto... all) { backend_.actual_lrps().async()->StartActualLRP(all...); }, kNothing,
        {.mend = Unstartable, .precondition = v1::Error::ActualLRPCannotBeStarted});
  }

  grpc::ServerUnaryReactor* CrashActualLRP(grpc::CallbackServerContext* context,
                                           const v1::CrashActualLRPRequest* request,
                                           v1::ActualLRPLifecycleResponse* response) override {
    return Pass<v2::CrashActualLRPRequest, v2::ActualLRPLifecycleResponse>(
        backend_, *context, *request, *response, "ActualLRPs.CrashActualLRP",
        [this](auto... all) { backend_.actual_lrps().async()->CrashActualLRP(all...); }, kNothing,
        {.precondition = v1::Error::ActualLRPCannotBeCrashed});
  }

  grpc::ServerUnaryReactor* FailActualLRP(grpc::CallbackServerContext* context, const v1::FailActualLRPRequest* request,
                                          v1::ActualLRPLifecycleResponse* response) override {
    return Pass<v2::FailActualLRPRequest, v2::ActualLRPLifecycleResponse>(
        backend_, *context, *request, *response, "ActualLRPs.FailActualLRP",
        [this](auto... all) { backend_.actual_lrps().async()->FailActualLRP(all...); }, kNothing,
        {.precondition = v1::Error::ActualLRPCannotBeFailed});
  }

  grpc::ServerUnaryReactor* RemoveActualLRP(grpc::CallbackServerContext* context,
                                            const v1::RemoveActualLRPRequest* request,
                                            v1::ActualLRPLifecycleResponse* response) override {
    return Pass<v2::RemoveActualLRPRequest, v2::ActualLRPLifecycleResponse>(
        backend_, *context, *request, *response, "ActualLRPs.RemoveActualLRP",
        [this](auto... all) { backend_.actual_lrps().async()->RemoveActualLRP(all...); }, kNothing,
        {.precondition = v1::Error::ActualLRPCannotBeRemoved});
  }

  grpc::ServerUnaryReactor* RetireActualLRP(grpc::CallbackServerContext* context,
                                            const v1::RetireActualLRPRequest* request,
                                            v1::ActualLRPLifecycleResponse* response) override {
    return Pass<v2::RetireInstancesRequest, v2::RetireInstancesResponse>(
        backend_, *context, *request, *response, "ActualLRPs.RetireActualLRP",
        [this](auto... all) { backend_.actual_lrps().async()->RetireInstances(all...); }, kNothing);
  }

 private:
  Backend& backend_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeActualLrpsService(Backend& backend) {
  return std::make_unique<ActualLrpsService>(backend);
}

}  // namespace baton::transform
