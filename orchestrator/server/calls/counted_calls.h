// Tells ApiUsage of each call of baton.v1 and baton.v2 as it begins, in the version that the caller asked. Not of those
// that v1 makes of v2 in this process, and not of health checks, reflection and methods that there are not.
#pragma once

#include <grpcpp/support/server_interceptor.h>

#include <string>
#include <vector>

#include "orchestrator/app/calls/api_usage.h"

namespace baton {

class CountedCalls final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  // `usage` lives as long as the server.
  explicit CountedCalls(ApiUsage& usage) : usage_(usage) {}

  grpc::experimental::Interceptor* CreateServerInterceptor(grpc::experimental::ServerRpcInfo* info) override;

 private:
  ApiUsage& usage_;
};

// All services of baton.v1 and baton.v2 that batond has, by their full names.
const std::vector<std::string>& CountedServices();

}  // namespace baton
