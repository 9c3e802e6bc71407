// Adds the client's version to each of its calls.
#pragma once

#include <grpcpp/support/client_interceptor.h>

namespace baton {

class OwnVersion final : public grpc::experimental::ClientInterceptorFactoryInterface {
 public:
  grpc::experimental::Interceptor* CreateClientInterceptor(grpc::experimental::ClientRpcInfo* info) override;
};

}  // namespace baton
