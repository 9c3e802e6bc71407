// The service baton.v1.DesiredLRPs.
#pragma once

#include "baton/v1/bbs_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/transform/services/backend.h"

namespace baton::transform {

class DesiredLrpsService final : public v1::DesiredLRPs::CallbackService {
 public:
  explicit DesiredLrpsService(Backend& backend) : backend_(backend) {}

  grpc::ServerUnaryReactor* DesireLRP(grpc::CallbackServerContext* context, const v1::DesireLRPRequest* request,
                                      v1::DesiredLRPLifecycleResponse* response) override;
  grpc::ServerUnaryReactor* UpdateDesiredLRP(grpc::CallbackServerContext* context,
                                             const v1::UpdateDesiredLRPRequest* request,
                                             v1::DesiredLRPLifecycleResponse* response) override;
  grpc::ServerUnaryReactor* RemoveDesiredLRP(grpc::CallbackServerContext* context,
                                             const v1::RemoveDesiredLRPRequest* request,
                                             v1::DesiredLRPLifecycleResponse* response) override;
  grpc::ServerUnaryReactor* GetDesiredLRP(grpc::CallbackServerContext* context,
                                          const v1::DesiredLRPByProcessGuidRequest* request,
                                          v1::DesiredLRPResponse* response) override;
  grpc::ServerWriteReactor<v1::DesiredLRPsResponse>* ListDesiredLRPs(grpc::CallbackServerContext* context,
                                                                     const v1::DesiredLRPsRequest* request) override;
  grpc::ServerUnaryReactor* GetSchedulingInfo(grpc::CallbackServerContext* context,
                                              const v1::DesiredLRPByProcessGuidRequest* request,
                                              v1::DesiredLRPSchedulingInfoByProcessGuidResponse* response) override;
  grpc::ServerWriteReactor<v1::DesiredLRPSchedulingInfosResponse>* ListSchedulingInfos(
      grpc::CallbackServerContext* context, const v1::DesiredLRPsRequest* request) override;
  grpc::ServerWriteReactor<v1::DesiredLRPsResponse>* ListRoutingInfos(grpc::CallbackServerContext* context,
                                                                      const v1::DesiredLRPsRequest* request) override;

 private:
  Backend& backend_;
};

}  // namespace baton::transform
