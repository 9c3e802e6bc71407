// The service Rolls: how an app gets from one definition to another.
#pragma once

#include "baton/v2/rolls_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/roll/law.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

struct CallName;

class RollsService final : public v2::Rolls::CallbackService {
 public:
  explicit RollsService(ServerDependencies& dependencies) : s_(dependencies) {}

  grpc::ServerUnaryReactor* GetRoll(grpc::CallbackServerContext* context, const v2::GetRollRequest* request,
                                    v2::GetRollResponse* response) override;
  grpc::ServerWriteReactor<v2::ListRollsResponse>* ListRolls(grpc::CallbackServerContext* context,
                                                             const v2::ListRollsRequest* request) override;
  grpc::ServerWriteReactor<v2::WatchRollResponse>* WatchRoll(grpc::CallbackServerContext* context,
                                                             const v2::WatchRollRequest* request) override;
  grpc::ServerUnaryReactor* WaitRoll(grpc::CallbackServerContext* context, const v2::WaitRollRequest* request,
                                     v2::WaitRollResponse* response) override;
  grpc::ServerUnaryReactor* ExplainRoll(grpc::CallbackServerContext* context, const v2::ExplainRollRequest* request,
                                        v2::ExplainRollResponse* response) override;
  grpc::ServerUnaryReactor* PauseRoll(grpc::CallbackServerContext* context, const v2::ChangeRollRequest* request,
                                      v2::ChangeRollResponse* response) override;
  grpc::ServerUnaryReactor* ResumeRoll(grpc::CallbackServerContext* context, const v2::ChangeRollRequest* request,
                                       v2::ChangeRollResponse* response) override;
  grpc::ServerUnaryReactor* PromoteRoll(grpc::CallbackServerContext* context, const v2::ChangeRollRequest* request,
                                        v2::ChangeRollResponse* response) override;
  grpc::ServerUnaryReactor* RetryRoll(grpc::CallbackServerContext* context, const v2::ChangeRollRequest* request,
                                      v2::ChangeRollResponse* response) override;
  grpc::ServerUnaryReactor* CancelRoll(grpc::CallbackServerContext* context, const v2::ChangeRollRequest* request,
                                       v2::ChangeRollResponse* response) override;
  grpc::ServerUnaryReactor* RollBack(grpc::CallbackServerContext* context, const v2::RollBackRequest* request,
                                     v2::UpdateDesiredLRPResponse* response) override;

 private:
  grpc::ServerUnaryReactor* Change(grpc::CallbackServerContext* context, const v2::ChangeRollRequest* request,
                                   v2::ChangeRollResponse* response, RollEvent event, const CallName& as);

  ServerDependencies& s_;
};

}  // namespace baton
