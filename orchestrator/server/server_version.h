// Every answer says which version of Baton gave it, and where an upgrade of the data is that is open, in the metadata at its
// head.
#pragma once

#include <grpcpp/support/server_interceptor.h>

#include <functional>
#include <string>

#include "orchestrator/model/upgrade.h"

namespace baton {

class ServerVersion final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  ServerVersion(std::string version, std::function<DataMode()> data)
      : version_(std::move(version)), data_(std::move(data)) {}
  grpc::experimental::Interceptor* CreateServerInterceptor(grpc::experimental::ServerRpcInfo* info) override;

 private:
  const std::string version_;
  const std::function<DataMode()> data_;
};

}  // namespace baton
