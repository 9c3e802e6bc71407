// The service baton.v1.Evacuation.
#pragma once

#include "baton/v1/bbs_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/transform/services/backend.h"

namespace baton::transform {

class EvacuationService final : public v1::Evacuation::CallbackService {
 public:
  explicit EvacuationService(Backend& backend) : backend_(backend) {}

  grpc::ServerUnaryReactor* EvacuateClaimedActualLRP(grpc::CallbackServerContext* context,
                                                     const v1::EvacuateClaimedActualLRPRequest* request,
                                                     v1::EvacuationResponse* response) override;
  grpc::ServerUnaryReactor* EvacuateRunningActualLRP(grpc::CallbackServerContext* context,
                                                     const v1::EvacuateRunningActualLRPRequest* request,
                                                     v1::EvacuationResponse* response) override;
  grpc::ServerUnaryReactor* EvacuateStoppedActualLRP(grpc::CallbackServerContext* context,
                                                     const v1::EvacuateStoppedActualLRPRequest* request,
                                                     v1::EvacuationResponse* response) override;
  grpc::ServerUnaryReactor* EvacuateCrashedActualLRP(grpc::CallbackServerContext* context,
                                                     const v1::EvacuateCrashedActualLRPRequest* request,
                                                     v1::EvacuationResponse* response) override;
  grpc::ServerUnaryReactor* RemoveEvacuatingActualLRP(grpc::CallbackServerContext* context,
                                                      const v1::RemoveEvacuatingActualLRPRequest* request,
                                                      v1::RemoveEvacuatingActualLRPResponse* response) override;

 private:
  Backend& backend_;
};

}  // namespace baton::transform
