// The service baton.v1.DesiredLRPs.
#include "orchestrator/transform/services/services.h"

#include "baton/v1/bbs_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/transform/messages/desired_lrp.h"
#include "orchestrator/transform/services/backend.h"
#include "orchestrator/transform/services/pass.h"
#include "orchestrator/transform/services/passed_list.h"

namespace baton::transform {
namespace {

// To v1 a name that is taken is a fault of the request: there is no definition there that could exist.
grpc::Status TakenName(const grpc::Status& status) {
  if (status.error_code() != grpc::StatusCode::ALREADY_EXISTS) return status;
  return {grpc::StatusCode::INVALID_ARGUMENT, "update.update_identifier: " + status.error_message() +
                                                  "; baton.v2.Definitions.GetDefinition shows it"};
}

// Of a page, what the caller asked for.
struct Apps {
  AppGuids asked;
  v1::DesiredLRPsResponse Take(v2::ListDesiredLRPsResponse& page) const {
    v1::DesiredLRPsResponse made;
    for (v2::DesiredLRP& app : *page.mutable_desired_lrps()) {
      if (asked.Has(app.process_guid())) *made.add_desired_lrps() = ToV1(std::move(app));
    }
    return made;
  }
  v1::DesiredLRPsResponse End() const { return {}; }
};

struct SchedulingInfos {
  AppGuids asked;
  v1::DesiredLRPSchedulingInfosResponse Take(v2::ListSchedulingInfosResponse& page) const {
    v1::DesiredLRPSchedulingInfosResponse made;
    for (v2::DesiredLRPSchedulingInfo& info : *page.mutable_scheduling_infos()) {
      if (asked.Has(info.process_guid())) *made.add_desired_lrp_scheduling_infos() = ToV1(std::move(info));
    }
    return made;
  }
  v1::DesiredLRPSchedulingInfosResponse End() const { return {}; }
};

struct RoutingInfos {
  AppGuids asked;
  v1::DesiredLRPsResponse Take(const v2::ListSchedulingInfosResponse& page) const {
    v1::DesiredLRPsResponse made;
    for (const v2::DesiredLRPSchedulingInfo& info : page.scheduling_infos()) {
      if (asked.Has(info.process_guid())) *made.add_desired_lrps() = RoutingInfo(info);
    }
    return made;
  }
  v1::DesiredLRPsResponse End() const { return {}; }
};

class DesiredLrpsService final : public v1::DesiredLRPs::CallbackService {
 public:
  explicit DesiredLrpsService(Backend& backend) : backend_(backend) {}

  grpc::ServerUnaryReactor* DesireLRP(grpc::CallbackServerContext* context, const v1::DesireLRPRequest* request,
                                      v1::DesiredLRPLifecycleResponse* response) override {
    return Pass<v2::DesireLRPRequest, v2::DesireLRPResponse>(
        backend_, *context, *request, *response, "DesiredLRPs.DesireLRP",
        [this](auto... all) { backend_.desired_lrps().async()->DesireLRP(all...); }, kNothing);
  }

  grpc::ServerUnaryReactor* UpdateDesiredLRP(grpc::CallbackServerContext* context,
                                             const v1::UpdateDesiredLRPRequest* request,
                                             v1::DesiredLRPLifecycleResponse* response) override {
    return Pass<v2::UpdateDesiredLRPRequest, v2::UpdateDesiredLRPResponse>(
        backend_, *context, *request, *response, "DesiredLRPs.UpdateDesiredLRP",
        [this](auto... all) { backend_.desired_lrps().async()->UpdateDesiredLRP(all...); }, kNothing,
        {.mend = TakenName});
  }

  grpc::ServerUnaryReactor* RemoveDesiredLRP(grpc::CallbackServerContext* context,
                                             const v1::RemoveDesiredLRPRequest* request,
                                             v1::DesiredLRPLifecycleResponse* response) override {
    return Pass<v2::RemoveDesiredLRPRequest, v2::RemoveDesiredLRPResponse>(
        backend_, *context, *request, *response, "DesiredLRPs.RemoveDesiredLRP",
        [this](auto... all) { backend_.desired_lrps().async()->RemoveDesiredLRP(all...); }, kNothing);
  }

  grpc::ServerUnaryReactor* GetDesiredLRP(grpc::CallbackServerContext* context,
                                          const v1::DesiredLRPByProcessGuidRequest* request,
                                          v1::DesiredLRPResponse* response) override {
    return Pass<v2::GetDesiredLRPRequest, v2::GetDesiredLRPResponse>(
        backend_, *context, *request, *response, "DesiredLRPs.GetDesiredLRP",
        [this](auto... all) { backend_.desired_lrps().async()->GetDesiredLRP(all...); },
        [](const v2::GetDesiredLRPResponse& got, v1::DesiredLRPResponse& made) {
          *made.mutable_desired_lrp() = ToV1(got.desired_lrp());
        });
  }

  grpc::ServerWriteReactor<v1::DesiredLRPsResponse>* ListDesiredLRPs(grpc::CallbackServerContext* context,
                                                                     const v1::DesiredLRPsRequest* request) override {
    return new PassedList<v2::ListDesiredLRPsRequest, v2::ListDesiredLRPsResponse, v1::DesiredLRPsResponse, Apps>(
        backend_, *context, *request, "DesiredLRPs.ListDesiredLRPs", Apps{AppGuids(*request)},
        [this](auto... all) { backend_.desired_lrps().async()->ListDesiredLRPs(all...); });
  }

  // The scheduling part of what GetDesiredLRP answers: v2 has no call of its own for one.
  grpc::ServerUnaryReactor* GetSchedulingInfo(grpc::CallbackServerContext* context,
                                              const v1::DesiredLRPByProcessGuidRequest* request,
                                              v1::DesiredLRPSchedulingInfoByProcessGuidResponse* response) override {
    return Pass<v2::GetDesiredLRPRequest, v2::GetDesiredLRPResponse>(
        backend_, *context, *request, *response, "DesiredLRPs.GetSchedulingInfo",
        [this](auto... all) { backend_.desired_lrps().async()->GetDesiredLRP(all...); },
        [](const v2::GetDesiredLRPResponse& got, v1::DesiredLRPSchedulingInfoByProcessGuidResponse& made) {
          *made.mutable_desired_lrp_scheduling_info() = SchedulingInfo(got.desired_lrp());
        });
  }

  grpc::ServerWriteReactor<v1::DesiredLRPSchedulingInfosResponse>* ListSchedulingInfos(
      grpc::CallbackServerContext* context, const v1::DesiredLRPsRequest* request) override {
    return new PassedList<v2::ListDesiredLRPsRequest, v2::ListSchedulingInfosResponse,
                          v1::DesiredLRPSchedulingInfosResponse, SchedulingInfos>(
        backend_, *context, *request, "DesiredLRPs.ListSchedulingInfos", SchedulingInfos{AppGuids(*request)},
        [this](auto... all) { backend_.desired_lrps().async()->ListSchedulingInfos(all...); });
  }

  grpc::ServerWriteReactor<v1::DesiredLRPsResponse>* ListRoutingInfos(grpc::CallbackServerContext* context,
                                                                      const v1::DesiredLRPsRequest* request) override {
    return new PassedList<v2::ListDesiredLRPsRequest, v2::ListSchedulingInfosResponse, v1::DesiredLRPsResponse,
                          RoutingInfos>(
        backend_, *context, *request, "DesiredLRPs.ListRoutingInfos", RoutingInfos{AppGuids(*request)},
        [this](auto... all) { backend_.desired_lrps().async()->ListSchedulingInfos(all...); });
  }

 private:
  Backend& backend_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeDesiredLrpsService(Backend& backend) {
  return std::make_unique<DesiredLrpsService>(backend);
}

}  // namespace baton::transform
