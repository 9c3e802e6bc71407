// The service baton.v1.ActualLRPs.
#pragma once

#include "baton/v1/bbs_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/transform/services/backend.h"

namespace baton::transform {

class ActualLrpsService final : public v1::ActualLRPs::CallbackService {
 public:
  explicit ActualLrpsService(Backend& backend) : backend_(backend) {}

  grpc::ServerWriteReactor<v1::ActualLRPsResponse>* ListActualLRPs(grpc::CallbackServerContext* context,
                                                                   const v1::ActualLRPsRequest* request) override;
  grpc::ServerWriteReactor<v1::ActualLRPsByProcessGuidsResponse>* ListActualLRPsByProcessGuids(
      grpc::CallbackServerContext* context, const v1::ActualLRPsByProcessGuidsRequest* request) override;
  grpc::ServerWriteReactor<v1::ActualLRPGroupsResponse>* ListActualLRPGroups(
      grpc::CallbackServerContext* context, const v1::ActualLRPGroupsRequest* request) override;
  grpc::ServerWriteReactor<v1::ActualLRPGroupsResponse>* ListActualLRPGroupsByProcessGuid(
      grpc::CallbackServerContext* context, const v1::ActualLRPGroupsByProcessGuidRequest* request) override;
  grpc::ServerUnaryReactor* GetActualLRPGroup(grpc::CallbackServerContext* context,
                                              const v1::ActualLRPGroupByProcessGuidAndIndexRequest* request,
                                              v1::ActualLRPGroupResponse* response) override;
  grpc::ServerUnaryReactor* ClaimActualLRP(grpc::CallbackServerContext* context,
                                           const v1::ClaimActualLRPRequest* request,
                                           v1::ActualLRPLifecycleResponse* response) override;
  grpc::ServerUnaryReactor* StartActualLRP(grpc::CallbackServerContext* context,
                                           const v1::StartActualLRPRequest* request,
                                           v1::ActualLRPLifecycleResponse* response) override;
  grpc::ServerUnaryReactor* CrashActualLRP(grpc::CallbackServerContext* context,
                                           const v1::CrashActualLRPRequest* request,
                                           v1::ActualLRPLifecycleResponse* response) override;
  grpc::ServerUnaryReactor* FailActualLRP(grpc::CallbackServerContext* context,
                                          const v1::FailActualLRPRequest* request,
                                          v1::ActualLRPLifecycleResponse* response) override;
  grpc::ServerUnaryReactor* RemoveActualLRP(grpc::CallbackServerContext* context,
                                            const v1::RemoveActualLRPRequest* request,
                                            v1::ActualLRPLifecycleResponse* response) override;
  grpc::ServerUnaryReactor* RetireActualLRP(grpc::CallbackServerContext* context,
                                            const v1::RetireActualLRPRequest* request,
                                            v1::ActualLRPLifecycleResponse* response) override;

 private:
  Backend& backend_;
};

}  // namespace baton::transform
