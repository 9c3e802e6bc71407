// The service Routes: routers are told where requests may go.
#pragma once

#include <string>
#include <utility>

#include "baton/v2/routes_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

class RoutesService final : public v2::Routes::CallbackService {
 public:
  // `trust_domain`: of the certificates of callers; empty: they have none.
  explicit RoutesService(ServerDependencies& dependencies, std::string trust_domain = {})
      : s_(dependencies), trust_domain_(std::move(trust_domain)) {}

  grpc::ServerBidiReactor<v2::RouteConsumerMessage, v2::RouteMessage>* Connect(
      grpc::CallbackServerContext* context) override;
  grpc::ServerWriteReactor<v2::ListEndpointsResponse>* ListEndpoints(grpc::CallbackServerContext* context,
                                                                     const v2::ListEndpointsRequest* request) override;
  grpc::ServerUnaryReactor* ListRouteConsumers(grpc::CallbackServerContext* context,
                                               const v2::ListRouteConsumersRequest* request,
                                               v2::ListRouteConsumersResponse* response) override;
  grpc::ServerUnaryReactor* RemoveRouteConsumer(grpc::CallbackServerContext* context,
                                                const v2::RemoveRouteConsumerRequest* request,
                                                v2::RemoveRouteConsumerResponse* response) override;

 private:
  ServerDependencies& s_;
  const std::string trust_domain_;
};

}  // namespace baton
