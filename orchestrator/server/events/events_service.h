// The service Events: streams to subscribers what every commit changed.
#pragma once

#include "baton/v2/events_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

// Raw bytes out: an event is encoded once, however many subscribers it has.
class EventsService final : public v2::Events::WithRawCallbackMethod_Subscribe<v2::Events::Service> {
 public:
  explicit EventsService(ServerDependencies& dependencies) : s_(dependencies) {}

  grpc::ServerWriteReactor<grpc::ByteBuffer>* Subscribe(grpc::CallbackServerContext* context,
                                                        const grpc::ByteBuffer* request) override;

 private:
  ServerDependencies& s_;
};

}  // namespace baton
