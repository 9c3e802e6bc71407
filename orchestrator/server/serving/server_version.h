// Every answer says which version of Baton gave it, where an upgrade of the data is that is open, and that there is no TLS where
// there is none, in the metadata at its head.
#pragma once

#include <grpcpp/support/server_interceptor.h>

#include <functional>
#include <string>

#include "orchestrator/model/fleet/upgrade.h"

namespace baton {

class ServerVersion final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  ServerVersion(std::string version, bool insecure, std::function<DataMode()> data)
      : version_(std::move(version)), insecure_(insecure), data_(std::move(data)) {}
  grpc::experimental::Interceptor* CreateServerInterceptor(grpc::experimental::ServerRpcInfo* info) override;

 private:
  const std::string version_;
  const bool insecure_;
  const std::function<DataMode()> data_;
};

}  // namespace baton
