#include "orchestrator/server/serving/server_version.h"

#include <algorithm>

#include "orchestrator/model/calls/wire_names.h"

namespace baton {
namespace {

constexpr std::size_t kWordMax = 32;

// A version read from a row, which an operator may have edited: gRPC aborts a program that sends invalid header bytes.
std::string HeaderWord(const std::string& text) {
  std::string word = text.substr(0, kWordMax);
  std::ranges::replace_if(word, [](char c) { return c <= ' ' || c > '~'; }, '?');
  return word;
}

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
        head.emplace(kDataKey, std::string(Name(data.state)) + " " + HeaderWord(data.source_semver) + " " + HeaderWord(data.target_semver));
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
