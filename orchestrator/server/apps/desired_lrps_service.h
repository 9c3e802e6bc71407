// The service DesiredLRPs: apps, what is wanted.
#pragma once

#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

class DesiredLrpsService final : public v2::DesiredLRPs::CallbackService {
 public:
  explicit DesiredLrpsService(ServerDependencies& dependencies) : s_(dependencies) {}

  grpc::ServerUnaryReactor* DesireLRP(grpc::CallbackServerContext* context, const v2::DesireLRPRequest* request,
                                      v2::DesireLRPResponse* response) override;
  grpc::ServerUnaryReactor* UpdateDesiredLRP(grpc::CallbackServerContext* context,
                                             const v2::UpdateDesiredLRPRequest* request,
                                             v2::UpdateDesiredLRPResponse* response) override;
  grpc::ServerUnaryReactor* PlanUpdate(grpc::CallbackServerContext* context, const v2::PlanUpdateRequest* request,
                                       v2::PlanUpdateResponse* response) override;
  grpc::ServerUnaryReactor* ReplaceDesiredLRP(grpc::CallbackServerContext* context,
                                              const v2::ReplaceDesiredLRPRequest* request,
                                              v2::UpdateDesiredLRPResponse* response) override;
  grpc::ServerUnaryReactor* RemoveDesiredLRP(grpc::CallbackServerContext* context,
                                             const v2::RemoveDesiredLRPRequest* request,
                                             v2::RemoveDesiredLRPResponse* response) override;
  grpc::ServerUnaryReactor* GetDesiredLRP(grpc::CallbackServerContext* context, const v2::GetDesiredLRPRequest* request,
                                          v2::GetDesiredLRPResponse* response) override;
  grpc::ServerWriteReactor<v2::ListDesiredLRPsResponse>* ListDesiredLRPs(
      grpc::CallbackServerContext* context, const v2::ListDesiredLRPsRequest* request) override;
  grpc::ServerWriteReactor<v2::ListSchedulingInfosResponse>* ListSchedulingInfos(
      grpc::CallbackServerContext* context, const v2::ListDesiredLRPsRequest* request) override;

 private:
  ServerDependencies& s_;
};

// The app and its roll as they are committed; `changed`: by what was asked.
void FillUpdateAnswer(const Decided& decided, v2::UpdateDesiredLRPResponse& response);

}  // namespace baton
