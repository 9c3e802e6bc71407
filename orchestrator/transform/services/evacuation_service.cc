// The service baton.v1.Evacuation.
#include "orchestrator/transform/services/services.h"

#include "baton/v1/bbs_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/transform/messages/evacuation.h"
#include "orchestrator/transform/services/backend.h"
#include "orchestrator/transform/services/pass.h"

namespace baton::transform {
namespace {

constexpr auto kKeeps = [](const v2::EvacuateActualLRPResponse& got, v1::EvacuationResponse& made) {
  made.set_keep_container(got.keep_container());
};

class EvacuationService final : public v1::Evacuation::CallbackService {
 public:
  explicit EvacuationService(Backend& backend) : backend_(backend) {}

  grpc::ServerUnaryReactor* EvacuateClaimedActualLRP(grpc::CallbackServerContext* context,
                                                     const v1::EvacuateClaimedActualLRPRequest* request,
                                                     v1::EvacuationResponse* response) override {
    return Pass<v2::EvacuateActualLRPRequest, v2::EvacuateActualLRPResponse>(
        backend_, *context, *request, *response, "Evacuation.EvacuateClaimedActualLRP",
        [this](auto... all) { backend_.actual_lrps().async()->EvacuateActualLRP(all...); }, kKeeps,
        {.keeps_on_error = true});
  }

  grpc::ServerUnaryReactor* EvacuateRunningActualLRP(grpc::CallbackServerContext* context,
                                                     const v1::EvacuateRunningActualLRPRequest* request,
                                                     v1::EvacuationResponse* response) override {
    return Pass<v2::EvacuateActualLRPRequest, v2::EvacuateActualLRPResponse>(
        backend_, *context, *request, *response, "Evacuation.EvacuateRunningActualLRP",
        [this](auto... all) { backend_.actual_lrps().async()->EvacuateActualLRP(all...); }, kKeeps,
        {.keeps_on_error = true});
  }

  grpc::ServerUnaryReactor* EvacuateStoppedActualLRP(grpc::CallbackServerContext* context,
                                                     const v1::EvacuateStoppedActualLRPRequest* request,
                                                     v1::EvacuationResponse* response) override {
    return Pass<v2::RemoveActualLRPRequest, v2::ActualLRPLifecycleResponse>(
        backend_, *context, *request, *response, "Evacuation.EvacuateStoppedActualLRP",
        [this](auto... all) { backend_.actual_lrps().async()->RemoveActualLRP(all...); }, kNothing,
        {.precondition = v1::Error::ActualLRPCannotBeRemoved});
  }

  grpc::ServerUnaryReactor* EvacuateCrashedActualLRP(grpc::CallbackServerContext* context,
                                                     const v1::EvacuateCrashedActualLRPRequest* request,
                                                     v1::EvacuationResponse* response) override {
    return Pass<v2::CrashActualLRPRequest, v2::ActualLRPLifecycleResponse>(
        backend_, *context, *request, *response, "Evacuation.EvacuateCrashedActualLRP",
        [this](auto... all) { backend_.actual_lrps().async()->CrashActualLRP(all...); }, kNothing,
        {.precondition = v1::Error::ActualLRPCannotBeCrashed});
  }

  grpc::ServerUnaryReactor* RemoveEvacuatingActualLRP(grpc::CallbackServerContext* context,
                                                      const v1::RemoveEvacuatingActualLRPRequest* request,
                                                      v1::RemoveEvacuatingActualLRPResponse* response) override {
    return Pass<v2::RemoveActualLRPRequest, v2::ActualLRPLifecycleResponse>(
        backend_, *context, *request, *response, "Evacuation.RemoveEvacuatingActualLRP",
        [this](auto... all) { backend_.actual_lrps().async()->RemoveActualLRP(all...); }, kNothing,
        {.precondition = v1::Error::ActualLRPCannotBeRemoved});
  }

 private:
  Backend& backend_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeEvacuationService(Backend& backend) {
  return std::make_unique<EvacuationService>(backend);
}

}  // namespace baton::transform
