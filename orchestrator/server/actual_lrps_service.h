// The service ActualLRPs: instances, what is; and the lifecycle calls of Diego's kind of cells.
#pragma once

#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "orchestrator/server/surroundings.h"

namespace baton {

class ActualLrpsService final : public v2::ActualLRPs::CallbackService {
 public:
  explicit ActualLrpsService(Surroundings& surroundings) : s_(surroundings) {}

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
  grpc::ServerUnaryReactor* RetireInstances(grpc::CallbackServerContext* context,
                                            const v2::RetireInstancesRequest* request,
                                            v2::RetireInstancesResponse* response) override;

 private:
  // Looks up which app the instance is of, then does `decide` there.
  void Report(grpc::CallbackServerContext* context, grpc::ServerUnaryReactor* reactor, const std::string& actual_id,
              const char* name, bool whole, std::function<Status(AppEdit&)> decide,
              v2::ActualLRPLifecycleResponse* response);

  Surroundings& s_;
};

}  // namespace baton
