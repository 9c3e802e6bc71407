// The service baton.v1.Events.
#include "orchestrator/transform/services/services.h"

#include "baton/v1/bbs_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/transform/messages/event.h"
#include "orchestrator/transform/services/backend.h"
#include "orchestrator/transform/services/passed_list.h"

namespace baton::transform {
namespace {

struct Told {
  std::vector<v1::Event> (*make)(v2::SubscribeResponse);
  v1::EventsResponse Take(v2::SubscribeResponse& message) const {
    v1::EventsResponse made;
    for (v1::Event& event : make(std::move(message))) *made.add_events() = std::move(event);
    return made;
  }
  v1::EventsResponse End() const { return {}; }
};

using Subscription = PassedList<v2::SubscribeRequest, v2::SubscribeResponse, v1::EventsResponse, Told>;

class EventsService final : public v1::Events::CallbackService {
 public:
  explicit EventsService(Backend& backend) : backend_(backend) {}

  grpc::ServerWriteReactor<v1::EventsResponse>* SubscribeToInstanceEvents(grpc::CallbackServerContext* context,
                                                                          const v1::EventsByCellId* request) override {
    return new Subscription(backend_, *context, *request, "Events.SubscribeToInstanceEvents", Told{InstanceEvents},
                            [this](auto... all) { backend_.events().async()->Subscribe(all...); });
  }

  grpc::ServerWriteReactor<v1::EventsResponse>* SubscribeToEvents(grpc::CallbackServerContext* context,
                                                                  const v1::EventsByCellId* request) override {
    return new Subscription(backend_, *context, *request, "Events.SubscribeToEvents", Told{GroupEvents},
                            [this](auto... all) { backend_.events().async()->Subscribe(all...); });
  }

 private:
  Backend& backend_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeEventsService(Backend& backend) { return std::make_unique<EventsService>(backend); }

}  // namespace baton::transform
