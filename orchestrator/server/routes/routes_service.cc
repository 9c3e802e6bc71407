// The service Routes: routers are told where requests may go.
#include "orchestrator/server/serving/services.h"

#include <string>
#include <utility>

#include "baton/v2/routes_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/callers/caller.h"
#include "orchestrator/server/callers/grant.h"
#include "orchestrator/server/calls/api_call.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/server/calls/operator_call.h"
#include "orchestrator/server/calls/page_stream.h"
#include "orchestrator/server/calls/peer_stream.h"
#include "orchestrator/server/routes/route_messages.h"
#include "orchestrator/server/serving/server_dependencies.h"
#include "orchestrator/wire/limits/text.h"

namespace baton {
namespace {

constexpr int kDrainedMax = 10'000;  // of a message; a router says more in several
constexpr CallName kRemove{"remove_route_consumer", "Routes/RemoveRouteConsumer"};

using RoutePipe = Pipe<v2::RouteConsumerMessage, v2::RouteMessage>;

class Link final : public RouteLink {
 public:
  explicit Link(std::shared_ptr<RoutePipe> pipe) : pipe_(std::move(pipe)) {}
  void Send(const RouteSnapshot& snapshot) override { pipe_->Send(ToMessage(snapshot)); }
  void Send(const RouteChange& change) override { pipe_->Send(ToMessage(change)); }
  void End(const std::string& reason) override { pipe_->End(Error{ErrorKind::kUnavailable, reason, {}}); }

 private:
  std::shared_ptr<RoutePipe> pipe_;
};

class RouteStream final : public PeerStream<v2::RouteConsumerMessage, v2::RouteMessage, Link, ConsumerId> {
 public:
  RouteStream(ServerDependencies& s, std::string_view trust_domain, grpc::CallbackServerContext& context)
      : PeerStream(s, Role::kRouter, trust_domain, context) {}

 private:
  void LogRefusal(const std::string& error) override {
    s_.log.Warn("route_consumer_refused", {{"consumer", id_.str()}, {"error", error}});
  }
  void Leave() override { s_.leader.routes().Disconnected(id_, link_.get(), goodbye_); }

  Status Take() override {
    RouteBook& routes = s_.leader.routes();
    switch (message_.message_case()) {
      case v2::RouteConsumerMessage::kHello: return Greet(message_.hello());
      case v2::RouteConsumerMessage::kApplied: {
        const v2::RouteRevision& revision = message_.applied().revision();
        routes.Applied(id_, link_.get(), revision.epoch(), revision.number());
        return Done{};
      }
      case v2::RouteConsumerMessage::kDrained: {
        const int count = message_.drained().actual_ids_size();
        if (count > kDrainedMax) {
          return Invalid("drained.actual_ids has " + std::to_string(count) + " entries, at most " +
                         std::to_string(kDrainedMax) + " are taken in one message");
        }
        std::vector<ActualId> instances;
        for (const std::string& id : message_.drained().actual_ids()) {
          if (Status s = wire::CheckName("drained.actual_ids", id); !s) return s;
          instances.emplace_back(id);
        }
        routes.Drained(id_, link_.get(), std::move(instances));
        return Done{};
      }
      case v2::RouteConsumerMessage::kLoad: {
        auto loads = FromMessage(message_.load());
        if (!loads) return loads.error();
        routes.Load(id_, link_.get(), *std::move(loads));
        return Done{};
      }
      case v2::RouteConsumerMessage::kHeartbeat: routes.Heard(id_, link_.get()); return Done{};
      case v2::RouteConsumerMessage::kGoodbye: goodbye_ = true; return Done{};
      case v2::RouteConsumerMessage::MESSAGE_NOT_SET: break;
    }
    return Done{};
  }

  Status Greet(const v2::RouteConsumerHello& hello) {
    if (hello.protocol_version() != kRouteProtocol) {
      return Error{ErrorKind::kFailedPrecondition,
                   "protocol_version is " + std::to_string(hello.protocol_version()) + ", this batond speaks " +
                       std::to_string(kRouteProtocol) + ": use a router that speaks it too",
                   {}};
    }
    if (Status s = wire::CheckName("consumer_id", hello.consumer_id()); !s) return s;
    if (Status s = wire::CheckText("version", hello.version(), wire::kNameBytesMax); !s) return s;
    if (Status own = CheckOwn(hello.consumer_id()); !own) return own;
    if (s_.gate && !s_.gate->rules()->MayAcknowledgeRoutes(hello.consumer_id())) {
      return Deny(grpc::StatusCode::PERMISSION_DENIED,
                  "there is no router " + hello.consumer_id() + " in the access file (batond --access)");
    }
    id_ = ConsumerId(hello.consumer_id());
    s_.leader.routes().Connected(link_, id_, hello.version());
    return Done{};
  }

  bool goodbye_ = false;
};

// The table lives in memory, on the leader's loop: one copy is taken there and sent in pages.
class EndpointStream final : public grpc::ServerWriteReactor<v2::ListEndpointsResponse> {
 public:
  EndpointStream(ServerDependencies& s, grpc::CallbackServerContext& context, const v2::ListEndpointsRequest& request)
      : timed_(s.metrics, "list_endpoints"), hostname_(request.hostname()) {
    const Status allowed = s.Admit(context, request);
    auto own = allowed ? TakeOwn(s, context, IdentityLimits::Kind::kLists) : Result<IdentityLimits::Slot>(allowed.error());
    auto slot = own ? s.lists.Take(s.metrics) : Result<CallSlots::Slot>(own.error());
    if (own) own_slot_ = *std::move(own);
    if (!slot) {
      timed_.End(slot.error());
      AddHints(context, slot.error());
      Finish(ToGrpc(slot.error()));
      return;
    }
    slot_ = *std::move(slot);
    const auto take = [this, &hosts = s.leader.hosts(),
                       grant = Grant::Of(s, context)](std::vector<RouteBook::ListedEndpoint> all) {
      for (RouteBook::ListedEndpoint& listed : all) {
        const Endpoint& endpoint = listed.endpoint;
        if (!grant.all() && !grant.MaySee(hosts.DomainOf(endpoint.process_guid))) continue;
        if (hostname_.empty() || endpoint.route.hostname == hostname_) endpoints_.push_back(std::move(listed));
      }
      Next();
    };
    s.leader.routes().Endpoints(ProcessGuid(request.process_guid()), request.with_draining(), take);
  }
  void OnWriteDone(bool ok) override { ok ? Next() : End(); }
  void OnDone() override { delete this; }

 private:
  void End() {
    own_slot_.reset();
    timed_.End(Done{});
    Finish(grpc::Status::OK);
  }
  void Next() {
    if (at_ == endpoints_.size()) return End();
    page_.Clear();
    for (int i = 0; i < kPageRows && at_ < endpoints_.size(); ++i)
      *page_.add_endpoints() = ToMessage(endpoints_[at_++]);
    StartWrite(&page_);
  }

  const TimedCall timed_;
  IdentityLimits::Slot own_slot_;
  CallSlots::Slot slot_;
  std::string hostname_;
  std::vector<RouteBook::ListedEndpoint> endpoints_;
  std::size_t at_ = 0;
  v2::ListEndpointsResponse page_;
};

class RoutesService final : public v2::Routes::CallbackService {
 public:
  RoutesService(ServerDependencies& dependencies, std::string trust_domain)
      : s_(dependencies), trust_domain_(std::move(trust_domain)) {}

  grpc::ServerBidiReactor<v2::RouteConsumerMessage, v2::RouteMessage>* Connect(
      grpc::CallbackServerContext* context) override {
    return new RouteStream(s_, trust_domain_, *context);
  }

  grpc::ServerWriteReactor<v2::ListEndpointsResponse>* ListEndpoints(grpc::CallbackServerContext* context,
                                                                     const v2::ListEndpointsRequest* request) override {
    return new EndpointStream(s_, *context, *request);
  }

  grpc::ServerUnaryReactor* ListRouteConsumers(grpc::CallbackServerContext* context,
                                               const v2::ListRouteConsumersRequest* request,
                                               v2::ListRouteConsumersResponse* response) override {
    auto* reactor = context->DefaultReactor();
    const auto end = TimedEnd(s_, *context, "list_route_consumers");
    if (const Status allowed = s_.Admit(*context, *request); !allowed) return end(allowed), reactor;
    s_.reads.Run([this, end, response](Result<Reader*> reader) {
      using Records = std::vector<RouteConsumerRecord>;
      auto records = reader ? (*reader)->ListRouteConsumers() : Result<Records>(reader.error());
      if (!records) return end(records.error());
      s_.leader.routes().Views([=, records = *std::move(records)](const std::map<ConsumerId, RouteBook::View>& views) {
        for (const RouteConsumerRecord& record : records) {
          const auto view = views.find(record.id);
          *response->add_consumers() = ToMessage(record, view == views.end() ? nullptr : &view->second);
        }
        end(Done{});
      });
    });
    return reactor;
  }

  grpc::ServerUnaryReactor* RemoveRouteConsumer(grpc::CallbackServerContext* context,
                                                const v2::RemoveRouteConsumerRequest* request,
                                                v2::RemoveRouteConsumerResponse*) override {
    auto* reactor = context->DefaultReactor();
    const OperatorCall call(s_, *context, kRemove, "router " + request->consumer_id());
    if (const Status allowed = s_.Admit(*context, *request); !allowed) return call.End(allowed), reactor;
    s_.leader.routes().Remove(ConsumerId(request->consumer_id()), call.Done({"removed"}),
                              [call](const Status& status) { call.End(status); });
    return reactor;
  }

 private:
  ServerDependencies& s_;
  const std::string trust_domain_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeRoutesService(ServerDependencies& dependencies, std::string trust_domain) {
  return std::make_unique<RoutesService>(dependencies, std::move(trust_domain));
}

}  // namespace baton
