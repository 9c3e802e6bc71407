#include "orchestrator/transform/services/events_service.h"

#include "orchestrator/transform/messages/event.h"
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

}  // namespace

grpc::ServerWriteReactor<v1::EventsResponse>* EventsService::SubscribeToInstanceEvents(
    grpc::CallbackServerContext* context, const v1::EventsByCellId* request) {
  return new Subscription(backend_, *context, *request, "Events.SubscribeToInstanceEvents", Told{InstanceEvents},
                          [this](auto... all) { backend_.events().async()->Subscribe(all...); });
}

grpc::ServerWriteReactor<v1::EventsResponse>* EventsService::SubscribeToEvents(grpc::CallbackServerContext* context,
                                                                               const v1::EventsByCellId* request) {
  return new Subscription(backend_, *context, *request, "Events.SubscribeToEvents", Told{GroupEvents},
                          [this](auto... all) { backend_.events().async()->Subscribe(all...); });
}

}  // namespace baton::transform
