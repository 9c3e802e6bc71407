// The service Definitions: the versions that are stored.
#pragma once

#include "baton/v2/definitions_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

class DefinitionsService final : public v2::Definitions::CallbackService {
 public:
  explicit DefinitionsService(ServerDependencies& dependencies) : s_(dependencies) {}

  grpc::ServerUnaryReactor* GetDefinition(grpc::CallbackServerContext* context, const v2::GetDefinitionRequest* request,
                                          v2::GetDefinitionResponse* response) override;
  grpc::ServerWriteReactor<v2::ListDefinitionsResponse>* ListDefinitions(
      grpc::CallbackServerContext* context, const v2::ListDefinitionsRequest* request) override;
  grpc::ServerUnaryReactor* PinDefinition(grpc::CallbackServerContext* context, const v2::PinDefinitionRequest* request,
                                          v2::PinDefinitionResponse* response) override;

 private:
  ServerDependencies& s_;
};

}  // namespace baton
