// The service Upgrades: the online upgrade of the data, as operators ask for it.
#pragma once

#include "baton/v2/upgrades_service.grpc.pb.h"
#include "orchestrator/app/leader/upgrade.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

struct CallName;

class UpgradesService final : public v2::Upgrades::CallbackService {
 public:
  explicit UpgradesService(ServerDependencies& dependencies) : s_(dependencies) {}

  grpc::ServerUnaryReactor* GetUpgrade(grpc::CallbackServerContext* context, const v2::GetUpgradeRequest* request,
                                       v2::UpgradeResponse* response) override;
  grpc::ServerUnaryReactor* BeginUpgrade(grpc::CallbackServerContext* context, const v2::BeginUpgradeRequest* request,
                                         v2::UpgradeResponse* response) override;
  grpc::ServerUnaryReactor* RollBackUpgrade(grpc::CallbackServerContext* context,
                                            const v2::RollBackUpgradeRequest* request,
                                            v2::UpgradeResponse* response) override;
  grpc::ServerUnaryReactor* FinishUpgrade(grpc::CallbackServerContext* context, const v2::FinishUpgradeRequest* request,
                                          v2::UpgradeResponse* response) override;

 private:
  grpc::ServerUnaryReactor* Change(grpc::CallbackServerContext& context, const CallName& as,
                                   const google::protobuf::Message& request, Upgrade::Wish wish,
                                   UpgradeWish how, v2::UpgradeResponse& response);

  ServerDependencies& s_;
};

}  // namespace baton
