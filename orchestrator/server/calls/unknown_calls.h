// A call that nobody serves, of a version of the API that is none here, for example: gRPC's answer to it says nothing.
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
