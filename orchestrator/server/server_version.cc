#include "orchestrator/server/server_version.h"

#include "orchestrator/model/wire_names.h"

namespace baton {
namespace {

class Interceptor final : public grpc::experimental::Interceptor {
 public:
  explicit Interceptor(const std::string& version) : version_(version) {}
  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(grpc::experimental::InterceptionHookPoints::PRE_SEND_INITIAL_METADATA)) {
      methods->GetSendInitialMetadata()->emplace(kServerVersionKey, version_);
    }
    methods->Proceed();
  }

 private:
  const std::string& version_;
};

}  // namespace

grpc::experimental::Interceptor* ServerVersion::CreateServerInterceptor(grpc::experimental::ServerRpcInfo*) {
  return new Interceptor(version_);
}

}  // namespace baton
