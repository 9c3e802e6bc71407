// A request that protobuf cannot read (a text that is no UTF-8, nesting beyond its own limit) is answered by gRPC with
// UNIMPLEMENTED and not a word. This puts the right status and a sentence in its place.
#pragma once

#include <grpcpp/support/server_interceptor.h>

namespace baton {

class UnreadableRequests final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  grpc::experimental::Interceptor* CreateServerInterceptor(grpc::experimental::ServerRpcInfo* info) override;
};

}  // namespace baton
