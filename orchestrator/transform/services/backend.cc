#include "orchestrator/transform/services/backend.h"

#include "orchestrator/base/time.h"

namespace baton::transform {

void Backend::Connect(std::shared_ptr<grpc::Channel> channel) {
  stubs_ = std::make_unique<Stubs>(Stubs{v2::DesiredLRPs::NewStub(channel), v2::ActualLRPs::NewStub(channel),
                                         v2::Cells::NewStub(channel), v2::Domains::NewStub(channel),
                                         v2::Events::NewStub(channel), v2::Admin::NewStub(channel)});
  connected_ = true;
}

void Backend::Disconnect() {
  connected_ = false;
  stubs_.reset();
}

Status Backend::Ready() const {
  if (connected_) return Done{};
  return Error{ErrorKind::kUnavailable, "this batond starts or stops", milliseconds(100)};
}

}  // namespace baton::transform
