// The service ActualLRPs: instances, what is; and the lifecycle calls of Diego's kind of cells.
#pragma once

#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "orchestrator/app/apps/lifecycle.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/instances/read_output.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

class ActualLrpsService final : public v2::ActualLRPs::CallbackService {
 public:
  explicit ActualLrpsService(ServerDependencies& dependencies) : s_(dependencies) {}

  grpc::ServerWriteReactor<v2::ListActualLRPsResponse>* ListActualLRPs(
      grpc::CallbackServerContext* context, const v2::ListActualLRPsRequest* request) override;
  grpc::ServerUnaryReactor* ClaimActualLRP(grpc::CallbackServerContext* context,
                                           const v2::ClaimActualLRPRequest* request,
                                           v2::ActualLRPLifecycleResponse* response) override;
  grpc::ServerUnaryReactor* StartActualLRP(grpc::CallbackServerContext* context,
                                           const v2::StartActualLRPRequest* request,
                                           v2::ActualLRPLifecycleResponse* response) override;
  grpc::ServerUnaryReactor* CrashActualLRP(grpc::CallbackServerContext* context,
                                           const v2::CrashActualLRPRequest* request,
                                           v2::ActualLRPLifecycleResponse* response) override;
  grpc::ServerUnaryReactor* FailActualLRP(grpc::CallbackServerContext* context, const v2::FailActualLRPRequest* request,
                                          v2::ActualLRPLifecycleResponse* response) override;
  grpc::ServerUnaryReactor* RemoveActualLRP(grpc::CallbackServerContext* context,
                                            const v2::RemoveActualLRPRequest* request,
                                            v2::ActualLRPLifecycleResponse* response) override;
  grpc::ServerUnaryReactor* EvacuateActualLRP(grpc::CallbackServerContext* context,
                                              const v2::EvacuateActualLRPRequest* request,
                                              v2::EvacuateActualLRPResponse* response) override;
  grpc::ServerUnaryReactor* RetireInstances(grpc::CallbackServerContext* context,
                                            const v2::RetireInstancesRequest* request,
                                            v2::RetireInstancesResponse* response) override;
  grpc::ServerUnaryReactor* RebalanceInstances(grpc::CallbackServerContext* context,
                                               const v2::RebalanceInstancesRequest* request,
                                               v2::RebalanceInstancesResponse* response) override;
  grpc::ServerUnaryReactor* ReadOutput(grpc::CallbackServerContext* context, const v2::ReadOutputRequest* request,
                                       v2::ReadOutputResponse* response) override {
    return baton::ReadOutput(s_, context, request, response);
  }

 private:
  // `args`: of the command, beside what each has. `valid`: what is wrong with the request beside its limits.
  template <class Command, class Request, class Response, class... Args>
  grpc::ServerUnaryReactor* Report(grpc::CallbackServerContext* context, const Request& request, Response* response,
                                   const InstanceRef& ref, const Status& valid, const Args&... args);

  ServerDependencies& s_;
};

}  // namespace baton
