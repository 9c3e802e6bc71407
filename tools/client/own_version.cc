#include "tools/client/own_version.h"

#include "orchestrator/model/calls/wire_names.h"
#include "orchestrator/model/version.h"

namespace baton {
namespace {

class Interceptor final : public grpc::experimental::Interceptor {
 public:
  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(grpc::experimental::InterceptionHookPoints::PRE_SEND_INITIAL_METADATA)) {
      methods->GetSendInitialMetadata()->emplace(kClientVersionKey, kAppVersion);
    }
    methods->Proceed();
  }
};

}  // namespace

grpc::experimental::Interceptor* OwnVersion::CreateClientInterceptor(grpc::experimental::ClientRpcInfo*) {
  return new Interceptor;
}

}  // namespace baton
