// The service baton.v1.Events.
#pragma once

#include "baton/v1/bbs_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/transform/services/backend.h"

namespace baton::transform {

class EventsService final : public v1::Events::CallbackService {
 public:
  explicit EventsService(Backend& backend) : backend_(backend) {}

  grpc::ServerWriteReactor<v1::EventsResponse>* SubscribeToInstanceEvents(grpc::CallbackServerContext* context,
                                                                          const v1::EventsByCellId* request) override;
  grpc::ServerWriteReactor<v1::EventsResponse>* SubscribeToEvents(grpc::CallbackServerContext* context,
                                                                  const v1::EventsByCellId* request) override;

 private:
  Backend& backend_;
};

}  // namespace baton::transform
