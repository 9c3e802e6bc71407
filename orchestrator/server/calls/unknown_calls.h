// Answers calls that no service has, such as those of another API version: gRPC's own answer would not say why.
// This one says which versions there are.
#pragma once

#include <grpcpp/generic/async_generic_service.h>

#include <string>

namespace baton {

class UnknownCalls final : public grpc::CallbackGenericService {
 public:
  // `version`: of this batond.
  explicit UnknownCalls(std::string version) : version_(std::move(version)) {}
  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext* context) override;

 private:
  const std::string version_;
};

}  // namespace baton
