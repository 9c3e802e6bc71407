#include "orchestrator/server/callers/access_hooks.h"

#include "orchestrator/transform/services/in_process.h"

namespace baton {
namespace {

using grpc::experimental::InterceptionHookPoints;

class Processor final : public grpc::AuthMetadataProcessor {
 public:
  explicit Processor(std::shared_ptr<AccessGate> gate) : gate_(std::move(gate)) {}
  bool IsBlocking() const override { return false; }  // else each call goes by another thread
  grpc::Status Process(const InputMetadata& metadata, grpc::AuthContext* peer, OutputMetadata*, OutputMetadata*) override {
    return gate_->Admit(*peer, metadata);  // the context is the connection's: nothing of a call is written into it
  }

 private:
  const std::shared_ptr<AccessGate> gate_;
};

// A refused call ends here: nothing of it is sent.
class Entrance final : public grpc::experimental::Interceptor {
 public:
  Entrance(AccessGate& gate, const char* path) : gate_(gate), path_(path) {}

  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    const bool begins = methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_INITIAL_METADATA);
    if (begins) {
      const auto& metadata = *methods->GetSendInitialMetadata();
      const auto word = metadata.find(transform::kInProcessKey);
      status_ = gate_.AdmitWithin(word == metadata.end() ? std::string_view() : word->second, path_);
    }
    if (status_.ok()) return methods->Proceed();
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_RECV_MESSAGE)) methods->FailHijackedRecvMessage();
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_RECV_STATUS)) *methods->GetRecvStatus() = status_;
    begins ? methods->Hijack() : methods->Proceed();
  }

 private:
  AccessGate& gate_;
  const char* path_;
  grpc::Status status_;
};

class Entrances final : public grpc::experimental::ClientInterceptorFactoryInterface {
 public:
  explicit Entrances(std::shared_ptr<AccessGate> gate) : gate_(std::move(gate)) {}
  grpc::experimental::Interceptor* CreateClientInterceptor(grpc::experimental::ClientRpcInfo* info) override {
    return new Entrance(*gate_, info->method());
  }

 private:
  const std::shared_ptr<AccessGate> gate_;
};

}  // namespace

std::shared_ptr<grpc::AuthMetadataProcessor> ProcessorOf(std::shared_ptr<AccessGate> gate) {
  return std::make_shared<Processor>(std::move(gate));
}

std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface> EntranceOf(std::shared_ptr<AccessGate> gate) {
  return std::make_unique<Entrances>(std::move(gate));
}

}  // namespace baton
