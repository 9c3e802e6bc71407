#include "orchestrator/server/calls/unknown_calls.h"

#include "orchestrator/server/serving/api_versions.h"
#include "orchestrator/wire/limits/text.h"

namespace baton {
namespace {

class Refused final : public grpc::ServerGenericBidiReactor {
 public:
  explicit Refused(const grpc::Status& status) { Finish(status); }
  void OnDone() override { delete this; }
};

}  // namespace

grpc::ServerGenericBidiReactor* UnknownCalls::CreateReactor(grpc::GenericCallbackServerContext* context) {
  std::string served;
  for (const char* api : kApiVersions) served += (served.empty() ? "" : " and ") + ("baton." + std::string(api));
  return new Refused(
      {grpc::StatusCode::UNIMPLEMENTED,
       wire::Shown(context->method()) + " is not served: this batond is " + version_ + " and serves " + served});
}

}  // namespace baton
