#include "orchestrator/server/unreadable.h"

namespace baton {
namespace {

using grpc::experimental::InterceptionHookPoints;

class Interceptor final : public grpc::experimental::Interceptor {
 public:
  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_STATUS)) {
      const grpc::Status status = methods->GetSendStatus();
      // Baton's own refusals, UNIMPLEMENTED ones too, always say something.
      if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED && status.error_message().empty()) {
        methods->ModifySendStatus({grpc::StatusCode::INVALID_ARGUMENT,
                                   "the request cannot be read: a text in it is not valid UTF-8, or its messages are "
                                   "nested deeper than 100"});
      }
    }
    methods->Proceed();
  }
};

}  // namespace

grpc::experimental::Interceptor* UnreadableRequests::CreateServerInterceptor(grpc::experimental::ServerRpcInfo*) {
  return new Interceptor;
}

}  // namespace baton
