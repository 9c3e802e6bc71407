// The service Admin: the service itself.
#pragma once

#include "baton/v2/admin_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

class AdminService final : public v2::Admin::CallbackService {
 public:
  explicit AdminService(ServerDependencies& dependencies) : s_(dependencies) {}

  // Answers wherever it is asked, leading or not.
  grpc::ServerUnaryReactor* Ping(grpc::CallbackServerContext* context, const v2::PingRequest* request,
                                 v2::PingResponse* response) override;
  // The data's version is read from the data: it says what is, not what should be.
  grpc::ServerUnaryReactor* Versions(grpc::CallbackServerContext* context, const v2::VersionsRequest* request,
                                     v2::VersionsResponse* response) override;
  grpc::ServerUnaryReactor* Status(grpc::CallbackServerContext* context, const v2::StatusRequest* request,
                                   v2::StatusResponse* response) override;
  grpc::ServerUnaryReactor* Convergence(grpc::CallbackServerContext* context, const v2::ConvergenceRequest* request,
                                        v2::ConvergenceResponse* response) override;
  grpc::ServerUnaryReactor* Keys(grpc::CallbackServerContext* context, const v2::KeysRequest* request,
                                 v2::KeysResponse* response) override;
  grpc::ServerUnaryReactor* RotateKeys(grpc::CallbackServerContext* context, const v2::RotateKeysRequest* request,
                                       v2::KeysResponse* response) override;
  grpc::ServerUnaryReactor* GetApiUsage(grpc::CallbackServerContext* context, const v2::GetApiUsageRequest* request,
                                        v2::GetApiUsageResponse* response) override;
  grpc::ServerWriteReactor<v2::ListAuditResponse>* ListAudit(grpc::CallbackServerContext* context,
                                                             const v2::ListAuditRequest* request) override;

 private:
  ServerDependencies& s_;
};

}  // namespace baton
