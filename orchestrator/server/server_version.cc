#include "orchestrator/server/server_version.h"

#include "orchestrator/model/wire_names.h"

namespace baton {
namespace {

class Interceptor final : public grpc::experimental::Interceptor {
 public:
  Interceptor(const std::string& version, bool insecure, const std::function<DataMode()>& data)
      : version_(version), insecure_(insecure), data_(data) {}
  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(grpc::experimental::InterceptionHookPoints::PRE_SEND_INITIAL_METADATA)) {
      auto& head = *methods->GetSendInitialMetadata();
      head.emplace(kServerVersionKey, version_);
      if (insecure_) head.emplace(kInsecureKey, "1");
      const DataMode data = data_();
      if (data.state != UpgradeState::kNone) {
        head.emplace(kDataKey, std::string(Name(data.state)) + " " + data.source_semver + " " + data.target_semver);
      }
    }
    methods->Proceed();
  }

 private:
  const std::string& version_;
  const bool insecure_;
  const std::function<DataMode()>& data_;
};

}  // namespace

grpc::experimental::Interceptor* ServerVersion::CreateServerInterceptor(grpc::experimental::ServerRpcInfo*) {
  return new Interceptor(version_, insecure_, data_);
}

}  // namespace baton
