// Every answer says which version of Baton gave it, in the metadata at its head.
#pragma once

#include <grpcpp/support/server_interceptor.h>

#include <string>

namespace baton {

class ServerVersion final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  explicit ServerVersion(std::string version) : version_(std::move(version)) {}
  grpc::experimental::Interceptor* CreateServerInterceptor(grpc::experimental::ServerRpcInfo* info) override;

 private:
  std::string version_;
};

}  // namespace baton
